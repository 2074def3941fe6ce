// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/**
 * The kit on MariaDB with SQL Server in its shadow; {@link TsqlTest} runs it to record what SQL
 * Server would be sent.
 */
class ShadowKit extends ServerKit {

    ShadowKit() {
        super(ServerFiles.MARIADB_11_SHADOW);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Rows that are lost on MariaDB. */
class MariaDbLossesTest extends ServerLosses {

    MariaDbLossesTest() {
        super(ServerFiles.MARIADB_11);
    }
}

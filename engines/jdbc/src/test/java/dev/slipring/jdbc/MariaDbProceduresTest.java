// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** The procedures. */
class MariaDbProceduresTest extends ServerProcedures {

    MariaDbProceduresTest() {
        super(ServerFiles.MARIADB_11);
    }
}

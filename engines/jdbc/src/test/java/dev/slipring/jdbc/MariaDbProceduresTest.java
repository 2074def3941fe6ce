// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** The procedures. */
class MariaDbProceduresTest extends ServerProcedures {

    MariaDbProceduresTest() {
        super(ServerFiles.MARIADB_11);
    }
}

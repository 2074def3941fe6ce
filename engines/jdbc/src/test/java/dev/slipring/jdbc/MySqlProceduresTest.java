// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** The procedures. */
class MySqlProceduresTest extends ServerProcedures {

    MySqlProceduresTest() {
        super(ServerFiles.MYSQL_8);
    }
}

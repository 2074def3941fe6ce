// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** The procedures. */
class MySqlProceduresTest extends ServerProcedures {

    MySqlProceduresTest() {
        super(ServerFiles.MYSQL_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Rows that are lost on MySQL. */
class MySqlLossesTest extends ServerLosses {

    MySqlLossesTest() {
        super(ServerFiles.MYSQL_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** The cells of lanes. */
class MySqlCellsTest extends ServerCells {

    MySqlCellsTest() {
        super(ServerFiles.MYSQL_8);
    }
}

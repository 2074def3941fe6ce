// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** The cells of lanes. */
class MariaDbCellsTest extends ServerCells {

    MariaDbCellsTest() {
        super(ServerFiles.MARIADB_11);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** The room of lanes. */
class MySqlRoomTest extends ServerRoom {

    MySqlRoomTest() {
        super(ServerFiles.MYSQL_8);
    }
}

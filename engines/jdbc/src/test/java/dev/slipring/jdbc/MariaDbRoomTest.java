// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** The room of lanes. */
class MariaDbRoomTest extends ServerRoom {

    MariaDbRoomTest() {
        super(ServerFiles.MARIADB_11);
    }
}

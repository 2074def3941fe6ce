// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** Statements that are stopped. */
class MariaDbStopsTest extends ServerStops {

    MariaDbStopsTest() {
        super(ServerFiles.MARIADB_11);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** Statements that are stopped. */
class MySqlStopsTest extends ServerStops {

    MySqlStopsTest() {
        super(ServerFiles.MYSQL_8);
    }
}

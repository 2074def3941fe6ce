// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Statements that somebody stops. */
class MariaDbStopsTest extends ServerStops {

    MariaDbStopsTest() {
        super(ServerFiles.MARIADB_11);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Processes that work alone on a lane. */
class MariaDbHomeLanesTest extends ServerHomeLanes {

    MariaDbHomeLanesTest() {
        super(ServerFiles.MARIADB_11);
    }
}

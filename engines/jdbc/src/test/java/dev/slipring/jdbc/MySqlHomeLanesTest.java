// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Processes that work alone on a lane. */
class MySqlHomeLanesTest extends ServerHomeLanes {

    MySqlHomeLanesTest() {
        super(ServerFiles.MYSQL_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Connections with a transaction of the thread's own. */
class MariaDbLendsTest extends ServerLends {

    MariaDbLendsTest() {
        super(ServerFiles.MARIADB_11);
    }
}

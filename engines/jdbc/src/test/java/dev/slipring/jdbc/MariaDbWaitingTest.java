// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Processes that wait for others. */
class MariaDbWaitingTest extends ServerWaiting {

    MariaDbWaitingTest() {
        super(ServerFiles.MARIADB_11);
    }
}

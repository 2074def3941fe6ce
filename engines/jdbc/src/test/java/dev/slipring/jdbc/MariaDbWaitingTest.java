// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Who waits for others. */
class MariaDbWaitingTest extends ServerWaiting {

    MariaDbWaitingTest() {
        super(ServerFiles.MARIADB_11);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Processes that wait for others. */
class MySqlWaitingTest extends ServerWaiting {

    MySqlWaitingTest() {
        super(ServerFiles.MYSQL_8);
    }
}

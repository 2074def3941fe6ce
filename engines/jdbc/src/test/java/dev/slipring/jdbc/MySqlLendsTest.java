// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Connections with a transaction of the thread's own. */
class MySqlLendsTest extends ServerLends {

    MySqlLendsTest() {
        super(ServerFiles.MYSQL_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Callers' transactions. */
class MySqlCallersTest extends ServerCallers {

    MySqlCallersTest() {
        super(ServerFiles.MYSQL_8);
    }
}

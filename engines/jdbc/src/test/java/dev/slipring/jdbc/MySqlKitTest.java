// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** The kit. */
class MySqlKitTest extends ServerKit {

    MySqlKitTest() {
        super(ServerFiles.MYSQL_8);
    }
}

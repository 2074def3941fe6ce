// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** What may go wrong. */
class MySqlBreaksTest extends ServerBreaks {

    MySqlBreaksTest() {
        super(ServerFiles.MYSQL_8);
    }
}

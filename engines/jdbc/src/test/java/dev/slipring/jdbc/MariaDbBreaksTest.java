// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** What may go wrong. */
class MariaDbBreaksTest extends ServerBreaks {

    MariaDbBreaksTest() {
        super(ServerFiles.MARIADB_11);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Servers that are set oddly or break, and odd callers, on MariaDB. */
class MariaDbBreaksTest extends ServerBreaks {

    MariaDbBreaksTest() {
        super(ServerFiles.MARIADB_11);
    }
}

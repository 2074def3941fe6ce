// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Callers' transactions. */
class MariaDbCallersTest extends ServerCallers {

    MariaDbCallersTest() {
        super(ServerFiles.MARIADB_11);
    }
}

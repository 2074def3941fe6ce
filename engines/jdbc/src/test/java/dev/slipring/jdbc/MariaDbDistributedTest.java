// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Callers' distributed transactions. */
class MariaDbDistributedTest extends ServerDistributed {

    MariaDbDistributedTest() {
        super(ServerFiles.MARIADB_11);
    }
}

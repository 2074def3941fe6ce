// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import dev.slipring.kit.server.ServerFiles;

/** Workloads on MariaDB. */
class MariaDbSmokeTest extends ServerSmoke {

    MariaDbSmokeTest() {
        super(ServerFiles.MARIADB_11);
    }
}

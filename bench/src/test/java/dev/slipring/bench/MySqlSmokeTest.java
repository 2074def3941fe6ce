// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import dev.slipring.kit.server.ServerFiles;

/** Workloads on MySQL. */
class MySqlSmokeTest extends ServerSmoke {

    MySqlSmokeTest() {
        super(ServerFiles.MYSQL_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Upgrades of the schema. */
class MariaDbUpgradeTest extends ServerUpgrade {

    MariaDbUpgradeTest() {
        super(ServerFiles.MARIADB_11);
    }
}

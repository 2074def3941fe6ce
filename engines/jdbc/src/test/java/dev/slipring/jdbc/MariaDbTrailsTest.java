// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Who goes along a lane alone. */
class MariaDbTrailsTest extends ServerTrails {

    MariaDbTrailsTest() {
        super(ServerFiles.MARIADB_11);
    }
}

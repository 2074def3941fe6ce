// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** The kit. */
class MariaDbKitTest extends ServerKit {

    MariaDbKitTest() {
        super(ServerFiles.MARIADB_11);
    }
}

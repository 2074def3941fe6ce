// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Extensions of claims. */
class MariaDbExtensionsTest extends ServerExtensions {

    MariaDbExtensionsTest() {
        super(ServerFiles.MARIADB_11);
    }
}

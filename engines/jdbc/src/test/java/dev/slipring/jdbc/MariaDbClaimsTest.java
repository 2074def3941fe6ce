// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Claims. */
class MariaDbClaimsTest extends ServerClaims {

    MariaDbClaimsTest() {
        super(ServerFiles.MARIADB_11);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** Claims. */
class MariaDbClaimsTest extends ServerClaims {

    MariaDbClaimsTest() {
        super(ServerFiles.MARIADB_11);
    }
}

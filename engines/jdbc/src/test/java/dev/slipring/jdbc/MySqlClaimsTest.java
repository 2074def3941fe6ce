// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** Claims. */
class MySqlClaimsTest extends ServerClaims {

    MySqlClaimsTest() {
        super(ServerFiles.MYSQL_8);
    }
}

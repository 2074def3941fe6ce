// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Claims. */
class MySqlClaimsTest extends ServerClaims {

    MySqlClaimsTest() {
        super(ServerFiles.MYSQL_8);
    }
}

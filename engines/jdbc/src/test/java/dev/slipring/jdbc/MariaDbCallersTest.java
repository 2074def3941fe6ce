// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** Callers' transactions. */
class MariaDbCallersTest extends ServerCallers {

    MariaDbCallersTest() {
        super(ServerFiles.MARIADB_11);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** The kit. */
class MariaDbKitTest extends ServerKit {

    MariaDbKitTest() {
        super(ServerFiles.MARIADB_11);
    }
}

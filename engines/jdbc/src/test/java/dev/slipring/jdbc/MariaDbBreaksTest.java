// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** What may go wrong. */
class MariaDbBreaksTest extends ServerBreaks {

    MariaDbBreaksTest() {
        super(ServerFiles.MARIADB_11);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Callers whose connection is to another database. */
class MariaDbPlacesTest extends ServerPlaces {

    MariaDbPlacesTest() {
        super(ServerFiles.MARIADB_11);
    }
}

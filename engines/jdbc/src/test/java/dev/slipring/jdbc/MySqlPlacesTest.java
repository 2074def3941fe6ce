// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Callers whose connection is to another database. */
class MySqlPlacesTest extends ServerPlaces {

    MySqlPlacesTest() {
        super(ServerFiles.MYSQL_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Producers that are forgotten. */
class MariaDbProducersTest extends ServerProducers {

    MariaDbProducersTest() {
        super(ServerFiles.MARIADB_11);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Producers that are forgotten. */
class MySqlProducersTest extends ServerProducers {

    MySqlProducersTest() {
        super(ServerFiles.MYSQL_8);
    }
}

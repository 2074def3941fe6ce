// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.kit.Kit;
import dev.slipring.kit.Testbed;

import java.sql.Connection;
import java.sql.SQLException;

/** The kit on PostgreSQL. */
class PostgresKitTest extends Kit {

    @Override
    protected Testbed newTestbed() throws SQLException {
        String url = Server.newDatabase();
        return new Testbed() {
            @Override
            public String url() {
                return url;
            }

            @Override
            public Connection connect() throws SQLException {
                return Server.connect(url);
            }

            @Override
            public String writes() {
                return "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint";
            }

            @Override
            public void close() throws Exception {
                super.close();
                Server.drop(url);
            }
        };
    }
}

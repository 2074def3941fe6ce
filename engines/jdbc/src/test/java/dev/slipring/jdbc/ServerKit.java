// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.Kit;
import dev.slipring.kit.Testbed;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;

/** The kit on a server: each test in a database of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerKit extends Kit {

    @RegisterExtension private final RunningServer server;

    ServerKit(ServerFiles files) {
        server = new RunningServer(files);
    }

    @Override
    protected Testbed newTestbed() {
        String database = server.get().newDatabase();
        return new Testbed() {
            @Override
            public String url() {
                return server.get().url(database);
            }

            @Override
            public Connection connect() throws SQLException {
                return server.get().connect(database);
            }

            /** MariaDB lacks InnoDB's figures, and MySQL writes when it is asked this. */
            @Override
            public String writes() {
                return "SHOW GLOBAL STATUS WHERE Variable_name IN"
                        + " ('Innodb_rows_inserted', 'Innodb_rows_updated', 'Innodb_rows_deleted'"
                        + " /*M! , 'Handler_write', 'Handler_update', 'Handler_delete' */)";
            }

            @Override
            public void close() throws Exception {
                super.close();
                server.get().run("DROP DATABASE " + database);
            }
        };
    }
}

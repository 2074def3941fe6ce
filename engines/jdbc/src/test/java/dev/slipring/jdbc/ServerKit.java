// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.Kit;
import dev.slipring.kit.Testbed;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.SQLException;

/** The kit on a server: each test in a database of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerKit extends Kit {

    private final ServerFiles files;
    private Server server;

    ServerKit(ServerFiles files) {
        this.files = files;
    }

    @BeforeAll
    void start() {
        files.whyNot().ifPresent(why -> Assumptions.abort(files + ": " + why));
        server = Server.start(files);
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected Testbed newTestbed() {
        String database = server.newDatabase();
        return new Testbed() {
            @Override
            public String url() {
                return server.url(database);
            }

            @Override
            public Connection connect() throws SQLException {
                return server.connect(database);
            }

            @Override
            public void close() throws Exception {
                super.close();
                server.run("DROP DATABASE " + database);
            }
        };
    }
}

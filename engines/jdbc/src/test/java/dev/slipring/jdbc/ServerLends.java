// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.OneConnection;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A store that gets the connection of the thread's own transaction does not commit that. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerLends {

    @RegisterExtension private final RunningServer server;

    private Connection own;
    private Statement sql;

    ServerLends(ServerFiles files) {
        server = new RunningServer(files);
    }

    @BeforeEach
    void connect() throws SQLException {
        own = server.get().connect(server.get().newDatabase());
        sql = own.createStatement();
        sql.execute("CREATE TABLE mine (n INT) ENGINE = InnoDB");
    }

    @AfterEach
    void close() throws SQLException {
        own.close();
    }

    private Slipring open() {
        return Slipring.open(Options.dataSource(OneConnection.of(own), "mysql"));
    }

    private long mine() throws SQLException {
        try (ResultSet row = sql.executeQuery("SELECT COUNT(*) FROM mine")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void whatIsWrittenThereIsRefused() throws SQLException {
        try (Slipring slipring = open()) {
            Ring ring = slipring.create(RingSpec.named("lent"));
            own.setAutoCommit(false);
            sql.execute("INSERT INTO mine VALUES (1)");
            assertThatThrownBy(() -> ring.push("x"))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("what hands out the connection of the thread's own");
            own.rollback();
            assertThat(mine()).isZero();
            own.rollback();
        }
    }

    /** A framework has turned auto-commit off, and the application has not run a statement yet. */
    @Test
    void whatComesAfterwardsIsTheThreadsOwn() throws SQLException {
        try (Slipring slipring = open()) {
            Ring ring = slipring.create(RingSpec.named("lent"));
            own.setAutoCommit(false);
            ring.push("x");
            assertThat(own.getAutoCommit()).isFalse();
            sql.execute("INSERT INTO mine VALUES (1)");
            own.rollback();
            assertThat(mine()).isZero();
            own.rollback();
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }

    /**
     * A distributed transaction (XA) leaves its connection in auto-commit mode; it is refused, and
     * stays open.
     */
    @Test
    void whatIsDistributedIsRefusedAndStays() throws SQLException {
        try (Slipring slipring = open()) {
            Ring ring = slipring.create(RingSpec.named("lent"));
            Stage stage = ring.stage();
            sql.execute("XA START 'own'");
            sql.execute("INSERT INTO mine VALUES (1)");
            assertThat(List.<Runnable>of(() -> ring.push("x"), ring::info, stage::pause))
                    .allSatisfy(
                            call ->
                                    assertThatThrownBy(call::run)
                                            .isInstanceOf(StoreFailed.class)
                                            .hasMessageContaining("give Slipring the plain pool"));
            sql.execute("XA END 'own'");
            sql.execute("XA COMMIT 'own' ONE PHASE");
            assertThat(mine()).isEqualTo(1);
            ring.push("y");
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }
}

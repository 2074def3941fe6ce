// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a process notices while it waits for others, and for sessions that lock or rebuild tables.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class ServerWaiting {

    @RegisterExtension private final RunningServer server;

    ServerWaiting(ServerFiles files) {
        server = new RunningServer(files);
    }

    /** A process that waits at a paused stage notices that another one has resumed it. */
    @Test
    void aStageThatIsResumedElsewhereGoesOn() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring worker = Slipring.open(server.get().url(database));
                Slipring operator = Slipring.open(server.get().url(database));
                Connection controller = server.get().connect(database);
                Statement sql = controller.createStatement()) {
            Ring seen = worker.create(RingSpec.named("waiting"));
            seen.push("backlog");
            Ring ring = operator.ring("waiting");
            ring.stage().pause();
            CompletableFuture<Claim> claim =
                    CompletableFuture.supplyAsync(
                            () -> seen.stage().claim(1, Duration.ofSeconds(60)));
            awaitLooks(sql);
            assertThat(claim).isNotDone();
            ring.stage().resume();
            assertThat(claim.get(20, TimeUnit.SECONDS).deliveries()).hasSize(1);
        }
    }

    /** A process that waits while its database is dropped gets an error, and does not wait on. */
    @Test
    void whoWaitsLearnsThatTheDatabaseIsGone() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring worker = Slipring.open(server.get().url(database));
                Connection controller = server.get().connect(database);
                Statement sql = controller.createStatement()) {
            Ring ring = worker.create(RingSpec.named("waiting"));
            CompletableFuture<Claim> claim =
                    CompletableFuture.supplyAsync(
                            () -> ring.stage().claim(1, Duration.ofSeconds(60)));
            awaitLooks(sql);
            assertThat(claim).isNotDone();
            server.get().run("DROP DATABASE " + database);
            assertThatThrownBy(() -> claim.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreFailed.class)
                    .hasMessageContaining(database);
        }
    }

    /**
     * By default a session would wait for a table's lock for a day; those of Slipring try again
     * each second, so that they can give up.
     */
    @Test
    void aPushOutlivesWhoLocksTables() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection dba = server.get().connect(database);
                Statement sql = dba.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("locked"));
            sql.execute("LOCK TABLES slipring_lane WRITE");
            CompletableFuture<Void> push = CompletableFuture.runAsync(() -> ring.push("behind"));
            JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
            while (transactor.retries() < 2) {
                assertThat(push).isNotDone();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            sql.execute("UNLOCK TABLES");
            push.get(20, TimeUnit.SECONDS);
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }

    /** A read whose table is replaced during its transaction is made again. */
    @Test
    void aReadOutlivesWhoRebuildsTables() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection dba = server.get().connect(database);
                Statement sql = dba.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("rebuilt"));
            JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
            CompletableFuture<Void> rebuilds =
                    CompletableFuture.runAsync(() -> rebuildUntilNoticed(sql, transactor));
            while (transactor.retries() == 0) {
                ring.info();
            }
            rebuilds.get(20, TimeUnit.SECONDS);
        }
    }

    private static void rebuildUntilNoticed(Statement sql, JdbcTransactor transactor) {
        try {
            while (transactor.retries() == 0) {
                sql.execute("ALTER TABLE slipring_strand FORCE");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the waiting process has looked for news several times. */
    private static void awaitLooks(Statement sql) throws Exception {
        long begin = selects(sql);
        while (selects(sql) < begin + 20) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static long selects(Statement sql) throws SQLException {
        try (ResultSet row = sql.executeQuery("SHOW GLOBAL STATUS LIKE 'Com_select'")) {
            row.next();
            return row.getLong(2);
        }
    }
}

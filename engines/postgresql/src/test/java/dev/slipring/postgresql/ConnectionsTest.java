// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.kit.InFront;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import javax.sql.DataSource;

/** A connection that goes back has nothing open, whichever statement was stopped on it. */
class ConnectionsTest {

    private static final String OPEN =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND state LIKE 'idle in transaction%'";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private final AtomicInteger stops = new AtomicInteger();

    /** A connection is made only while there is a permit. */
    private final Semaphore slow = new Semaphore(1);

    private Connections connections() {
        PostgresUrl url = PostgresUrl.parse(database.url());
        DataSource source = url.dataSource();
        DataSource stopping =
                front(
                        DataSource.class,
                        source,
                        connection ->
                                connection instanceof Connection real
                                        ? front(Connection.class, real, this::stopping)
                                        : connection);
        return new Connections(stopping, false, new Trouble(url.place()));
    }

    private Object stopping(Object made) {
        return made instanceof Statement real
                        && made.getClass().getSimpleName().equals("PgStatement")
                ? front(Statement.class, real, answer -> answer)
                : made;
    }

    /** Stands in front of something, and changes its answers. */
    @FunctionalInterface
    private interface Turn {
        Object turn(Object answer);
    }

    private <T> T front(Class<T> what, T real, Turn turn) {
        return InFront.of(
                what,
                real,
                (method, args, through) -> {
                    if (method.equals("execute")
                            && args[0].equals("ROLLBACK")
                            && stops.getAndDecrement() > 0) {
                        throw new SQLException("canceling statement", "57014");
                    }
                    if (method.equals("getConnection")) {
                        slow.acquireUninterruptibly();
                        slow.release();
                    }
                    return turn.turn(through.call());
                });
    }

    private long one(Connections connections) {
        return connections.call(statements -> statements.number("SELECT 1").orElseThrow());
    }

    @Test
    void whatFailsBehindTheBeginIsRolledBack() throws SQLException {
        try (Connections connections = connections()) {
            assertThatThrownBy(
                            () ->
                                    connections.inTransaction(
                                            "BEGIN; SELECT 1 / 0", statements -> null))
                    .hasMessageContaining("division by zero");
            assertThat(database.number(OPEN)).isZero();
            assertThat(one(connections)).isEqualTo(1);
        }
    }

    /**
     * An interrupted thread gets a connection, although a pool would refuse one: what the thread
     * has to report would be lost.
     */
    @Test
    void whoIsInterruptedGetsAConnectionAllTheSame() {
        try (Connections connections = connections()) {
            long both =
                    connections.alone(
                            first -> {
                                // The pool has no other connection yet, so the thread has to wait
                                // for one.
                                Thread.currentThread().interrupt();
                                return one(connections);
                            });
            assertThat(Thread.interrupted()).isTrue();
            assertThat(both).isEqualTo(1);
        }
    }

    /**
     * An interrupted thread can open a store, although the driver reports an interrupt as
     * "something unusual has occurred".
     */
    @Test
    void whoIsInterruptedOpensAStoreAllTheSame() {
        Thread.currentThread().interrupt();
        try (Slipring slipring = Slipring.open(database.url())) {
            assertThat(slipring.rings()).isEmpty();
        }
        assertThat(Thread.interrupted()).isTrue();
        DataSource plain = PostgresUrl.parse(database.url()).dataSource();
        Thread.currentThread().interrupt();
        try (Slipring slipring = Slipring.open(Options.dataSource(plain, "postgresql"))) {
            assertThat(slipring.rings()).isEmpty();
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    /**
     * An interrupt is kept for later: the thread that pushes may write for others, whom it does not
     * concern.
     */
    @Test
    @Timeout(60)
    void anInterruptWhileAConnectionIsWaitedForIsKept() throws Exception {
        try (Connections connections = connections()) {
            CompletableFuture<Thread> inside = new CompletableFuture<>();
            CompletableFuture<Long> answer =
                    CompletableFuture.supplyAsync(
                            () ->
                                    connections.alone(
                                            first -> {
                                                slow.acquireUninterruptibly();
                                                inside.complete(Thread.currentThread());
                                                long one = one(connections);
                                                return Thread.interrupted() ? one : -1;
                                            }));
            Thread waiting = inside.join();
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            waiting.interrupt();
            slow.release();
            assertThat(answer.get()).isEqualTo(1);
        }
    }

    /** Where memory runs out, the driver may leave off in the midst of an answer. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSessionInWhichMemoryRanOutEnds(boolean inTransaction) throws SQLException {
        try (Connections connections = connections()) {
            AtomicInteger session = new AtomicInteger();
            Function<Statements, Integer> breaking =
                    statements ->
                            statements.first(
                                    "SELECT pg_backend_pid()",
                                    row -> {
                                        session.set(row.getInt(1));
                                        throw new OutOfMemoryError("by plan");
                                    });
            assertThatThrownBy(
                            () ->
                                    (inTransaction
                                                    ? connections.inTransaction("BEGIN", breaking)
                                                    : connections.alone(breaking))
                                            .intValue())
                    .isInstanceOf(OutOfMemoryError.class);
            String alive = "SELECT count(*) FROM pg_stat_activity WHERE pid = " + session.get();
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (database.number(alive) > 0) {
                assertThat(System.nanoTime()).as("its session ends").isLessThan(deadline);
            }
            assertThat(one(connections)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aRollbackIsStopped(int times) throws SQLException {
        try (Connections connections = connections()) {
            stops.set(times);
            assertThatThrownBy(
                            () ->
                                    connections.inTransaction(
                                            "BEGIN",
                                            statements -> {
                                                throw new SlipringException("by plan");
                                            }))
                    .hasMessage("by plan");
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (database.number(OPEN) > 0) {
                assertThat(System.nanoTime()).as("nothing stays open").isLessThan(deadline);
            }
            assertThat(one(connections)).isEqualTo(1);
        }
    }
}

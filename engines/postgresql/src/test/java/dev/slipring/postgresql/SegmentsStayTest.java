// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.Keys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Segments are emptied and used again, whoever pushes, and in whatever way. */
class SegmentsStayTest {

    /** Many of these fill a segment: that of so small a ring ends at 16 MiB. */
    private static final int BYTES = 500_000;

    private static final int PUSHES = 240;

    /** So long that no lease runs out, even on the slowest machine. */
    private static final Duration LEASE = Duration.ofHours(1);

    private static final long MOST = 64L << 20;
    private static final String SIZE =
            "SELECT sum(pg_table_size(c.oid)) FROM pg_class c WHERE c.relname ~ '^slot_{ring}_.$'";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    /** A push, or a claim and its word, in some way. */
    @FunctionalInterface
    private interface Step {

        void take() throws SQLException;
    }

    private static Ring ring(Slipring slipring) {
        return slipring.create(RingSpec.named("r").lanes(2).bytes(32 << 20));
    }

    private static Step taker(Stage stage) {
        return () -> {
            Claim claim = stage.claim(10, Duration.ofSeconds(20));
            assertThat(claim.isEmpty()).isFalse();
            claim.done();
        };
    }

    /** Pushes twice as much as may be left, and takes all of it. */
    private void staysSmall(Step push, Step take) throws SQLException {
        for (int i = 0; i < PUSHES; i++) {
            push.take();
            take.take();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (database.number(SIZE) > MOST) {
            assertThat(System.nanoTime()).as("the segments are emptied").isLessThan(deadline);
        }
    }

    /** The messages are taken in SQL without tidying up, so the process that pushes has to tidy. */
    @Test
    void pushesInCallersTransactions() throws SQLException {
        Ring ring = ring(database.slipring());
        Message message = Message.of(new byte[BYTES]);
        try (Connection connection = database.connect();
                Connection taker = database.connect();
                Statement sql = taker.createStatement()) {
            connection.setAutoCommit(false);
            staysSmall(
                    () -> {
                        ring.join(connection).push(message);
                        connection.commit();
                    },
                    () -> takeOnly(sql));
        }
    }

    @Test
    void pushesInSql() throws SQLException {
        Ring ring = ring(database.slipring());
        String push = "SELECT slipring.push('r', convert_to(repeat('x', " + BYTES + "), 'UTF8'))";
        staysSmall(() -> database.run(push), taker(ring.stage()));
    }

    /**
     * A process that only pushes does not learn from claims that it has to ask for READ COMMITTED.
     */
    @Test
    void pushesWhereAllTransactionsKeepTheirView() throws SQLException {
        String isolation = " SET default_transaction_isolation = 'repeatable read'";
        database.run("ALTER DATABASE " + database.name() + isolation);
        Ring ring = ring(database.slipring());
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("SET default_transaction_isolation = 'read committed'");
            staysSmall(() -> ring.push(Message.of(new byte[BYTES])), () -> takeOnly(sql));
        }
    }

    /** Takes one message as people do, which tidies up, too. */
    private static void takeOne(Statement sql) throws SQLException {
        take(sql, "SELECT claim FROM slipring.claim('r')");
    }

    /** Takes some messages, and leaves the tidying up to others. */
    private static void takeOnly(Statement sql) throws SQLException {
        take(
                sql,
                "SELECT concat_ws('/', 'r', 'main', lane, epoch, 'new') FROM slipring.claim_slots("
                        + "'r', 'main', 10, 'w', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
                        + " NULL) WHERE status = 'claimed'");
    }

    private static void take(Statement sql, String query) throws SQLException {
        String claim;
        try (ResultSet row = sql.executeQuery(query)) {
            assertThat(row.next()).isTrue();
            claim = row.getString(1);
        }
        sql.executeQuery("SELECT slipring.done('" + claim + "')").close();
    }

    /** If all is done in SQL, claims tidy up, however a driver sends them. */
    @ParameterizedTest
    @ValueSource(strings = {"preferQueryMode=simple", "prepareThreshold=1"})
    void nobodyButSql(String way) throws SQLException {
        ring(database.slipring());
        String push = "SELECT slipring.push('r', convert_to(repeat('x', " + BYTES + "), 'UTF8'))";
        try (Connection taker = Server.connect(database.url() + "?" + way);
                Statement sql = taker.createStatement()) {
            staysSmall(() -> database.run(push), () -> takeOne(sql));
        }
    }

    /**
     * A message in hand keeps its segment; what others can push past it is bounded all the same.
     */
    @Test
    void aMessageInHand() throws SQLException {
        Ring ring =
                Slipring.open(Options.url(database.url()).pushTimeout(Duration.ZERO))
                        .create(
                                RingSpec.named("r")
                                        .lanes(2)
                                        .messages(1_000)
                                        .bytes(4 << 20)
                                        .graph(StageSpec.named("main").lease(LEASE)));
        ring.push(Message.of("kept").key(Keys.of(0, 2)));
        Claim kept = ring.stage().claim(1, Duration.ZERO);
        Message other = Message.of(new byte[BYTES]).key(Keys.of(1, 2));
        assertThatThrownBy(
                        () -> {
                            while (database.number(SIZE) < 4 * MOST) {
                                ring.push(other);
                                ring.stage().claim(10, Duration.ZERO).done();
                            }
                        })
                .isInstanceOf(RingFull.class)
                .hasMessageContaining("stage 'main' is not done with message 0-0");
        kept.done();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (database.number(SIZE) > MOST) {
            assertThat(System.nanoTime()).as("the segments are emptied").isLessThan(deadline);
            ring.push(other);
            ring.stage().claim(10, Duration.ZERO).done();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.InFront;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import javax.sql.DataSource;

/** How often the server is asked about many dead letters. */
class ManyDeadTest {

    private static final int LETTERS = 200;

    /** How many rows of slots a transaction has read. */
    private static final String READ =
            "SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_user_tables"
                    + " WHERE schemaname = 'slipring' AND relname LIKE 'slot_%'";

    /** All messages of the claim fail. */
    private static final String DIE =
            "SELECT ((slipring.settle('r', 'a', 0, %1$s, false, '{}',"
                    + " ARRAY(SELECT generate_series(0, %2$s - 1)),"
                    + " array_fill('no'::text, '{%2$s}'), array_fill(-1::bigint, '{%2$s}'),"
                    + " 'done')).status = 'ok')::int";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private final AtomicLong asked = new AtomicLong();
    private Slipring slipring;
    private Ring ring;
    private Ticket ticket;

    @BeforeEach
    void open() {
        DataSource source = counting(PostgresUrl.parse(database.url()).dataSource());
        slipring = Slipring.open(Options.dataSource(source, "postgresql"));
        StageSpec dying = StageSpec.named("a").tries(1).lease(Duration.ofHours(1));
        ring =
                slipring.create(
                        RingSpec.named("r").lanes(1).graph(FanOut.to(dying).and("b").and("c")));
        ring.pushAll(Collections.nCopies(LETTERS, Message.of("x".repeat(1_000))));
        ticket = slipring.store().claim("r", new ClaimRequest("a", LETTERS, "w")).ticket();
    }

    private void die() {
        List<Failed> all =
                LongStream.range(0, LETTERS).mapToObj(at -> new Failed(at, "no")).toList();
        slipring.store().settle("r", new Settlement(ticket, List.of(), all, Rest.DONE));
    }

    @AfterEach
    void close() {
        slipring.close();
    }

    @Test
    void aCheckDoesNotAskForEach() {
        die();
        asked.set(0);
        assertThat(ring.check()).isEmpty();
        assertThat(asked.get()).isLessThan(LETTERS);
    }

    @Test
    void oneThatIsDroppedIsWrittenAndNothingIsAskedForIt() {
        die();
        // Else their slot is in the ring.
        ring.stage("b").claim(LETTERS, Duration.ZERO).done();
        ring.stage("c").claim(LETTERS, Duration.ZERO).done();
        asked.set(0);
        assertThat(ring.stage("a").dropAllDead()).isEqualTo(LETTERS);
        assertThat(asked.get()).isLessThan(2 * LETTERS);
    }

    @Test
    void theSlotOfThoseThatFailIsReadOnce() throws SQLException {
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            session.setAutoCommit(false);
            assertThat(number(statement, String.format(DIE, ticket.epoch(), LETTERS))).isOne();
            assertThat(number(statement, READ)).isLessThan(LETTERS);
            session.commit();
        }
        assertThat(ring.info().stage("a").dead()).isEqualTo(LETTERS);
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private DataSource counting(DataSource real) {
        return InFront.of(
                DataSource.class,
                real,
                (method, args, through) ->
                        through.call() instanceof Connection made ? counting(made) : null);
    }

    private Connection counting(Connection real) {
        return InFront.of(
                Connection.class,
                real,
                (method, args, through) -> {
                    Object made = through.call();
                    return made instanceof PreparedStatement statement ? counting(statement) : made;
                });
    }

    private PreparedStatement counting(PreparedStatement real) {
        return InFront.of(
                PreparedStatement.class,
                real,
                (method, args, through) -> {
                    if (method.startsWith("execute")) {
                        asked.incrementAndGet();
                    }
                    return through.call();
                });
    }
}

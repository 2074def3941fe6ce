// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.ledger.AsideTable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A stage may keep very much: what needs one row of it does not read the others. */
class KeptTest {

    private static final int MANY = 3_000;

    private static final String READ =
            "SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0) FROM pg_stat_xact_user_tables"
                    + " WHERE schemaname = 'slipring' AND relname = 'aside'";

    private static final String FORGET =
            "SELECT (slipring.forget_dropped(r, s)).dropped FROM slipring.ring r,"
                    + " slipring.strand_now(r.id, 'a', 0) s";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    /** By all rules, as the first claim of a session is. */
    @Test
    void claimsDoNotReadRetriesThatAreNotDue() throws SQLException {
        create("waiting");
        database.run("SELECT slipring.push('r', 'x')");
        assertThat(read("SELECT count(*) FROM slipring.claim('r')", 1)).isLessThan(100);
    }

    /** What workers do that are idle. */
    @Test
    void emptyClaimsDoNotReadRetriesThatAreNotDue() throws SQLException {
        create("waiting");
        assertThat(read("SELECT count(*) FROM slipring.claim('r')", 0)).isLessThan(100);
    }

    @Test
    void aRetryIsFoundWithoutThoseThatAreNotDue() throws SQLException {
        create("waiting");
        database.run("UPDATE slipring.aside SET due = now() WHERE position = " + MANY / 2);
        assertThat(read("SELECT position FROM slipring.claim('r', most => 9)", MANY / 2))
                .isLessThan(100);
    }

    /** It may have to wait for very many, once dead letters were retried. */
    @Test
    void theFirstRetryOfAnOrderedStageIsFoundBehindItsDeadLetters() throws SQLException {
        create(RingSpec.named("r").lanes(1).graph(StageSpec.named("main").ordered()));
        keep("main", "dead", 1, MANY);
        keep("main", "waiting", MANY + 1, 2 * MANY);
        database.run("UPDATE slipring.aside SET due = now()");
        assertThat(read("SELECT position FROM slipring.claim('r')", MANY + 1)).isLessThan(100);
    }

    /** For a survey. */
    @Test
    void whatIsInHandIsFoundWithoutTheOthers() throws SQLException {
        create("waiting");
        database.run("UPDATE slipring.aside SET epoch = 7 WHERE position = 9");
        database.run("ANALYZE slipring.aside");
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            session.setAutoCommit(false);
            AsideTable aside = new PostgresRows(new Statements(session), false).aside();
            long id = number(statement, "SELECT id FROM slipring.ring");
            assertThat(aside.inHand(id, "main")).hasSize(1);
            assertThat(number(statement, READ)).isLessThan(100);
        }
    }

    @Test
    void aDeadLetterIsRetriedAndDroppedWithoutTheOthers() throws SQLException {
        create("dead");
        assertThat(read("SELECT slipring.dead_retry('r', 'main', '{0-7}')", 1)).isLessThan(100);
        assertThat(read("SELECT slipring.dead_drop('r', 'main', '{0-7,0-9,1-9}')", 1))
                .isLessThan(100);
        assertThat(read("SELECT slipring.dead_drop('r', 'main')", MANY - 2)).isPositive();
    }

    /** With each message that leaves the ring it is looked for what was dropped and can go. */
    @Test
    void aDroppedLetterIsFoundWithoutTheOthers() throws SQLException {
        create(RingSpec.named("r").lanes(1).graph(FanOut.to("a").and("b")));
        keep("a", "dead", 1, MANY);
        keep("b", "dead", 1, MANY);
        database.run("UPDATE slipring.strand SET dropped = 1 WHERE stage = 'a'");
        database.run("SELECT setval(gates[1], 9000) FROM slipring.ring");
        String drop = "UPDATE slipring.aside SET state = 'dropped' WHERE position = 5";
        database.run(drop + " AND stage = 'a'");
        database.run("ANALYZE slipring.aside");
        assertThat(read(FORGET, 1)).as("the other stage keeps it").isLessThan(100);
        database.run(drop);
        assertThat(read(FORGET, 0)).isLessThan(100);
    }

    /** And what was looked at once is not read again with each message that leaves the ring. */
    @Test
    void theDroppedThatAnotherStageKeepsAreNotReadAgain() throws SQLException {
        create(RingSpec.named("r").lanes(1).graph(FanOut.to("a").and("b")));
        keep("a", "dropped", 1, MANY);
        keep("b", "dead", 1, MANY);
        database.run("SELECT setval(gates[1], 9000) FROM slipring.ring");
        assertThat(read(FORGET, MANY)).as("before the server knows the table").isLessThan(MANY);
        database.run("ANALYZE slipring.aside");
        assertThat(read(FORGET, MANY)).isLessThan(MANY);
        database.run("DELETE FROM slipring.aside WHERE stage = 'b' AND position = 7");
        while (leftByALook() == MANY) {
            // A few are looked at each time, here or there.
        }
        assertThat(leftByALook()).isEqualTo(MANY - 1);
        database.run("DELETE FROM slipring.aside WHERE stage = 'b'");
        assertThat(leftByALook()).isZero();
    }

    private long leftByALook() throws SQLException {
        database.number(FORGET);
        return database.number("SELECT count(*) FROM slipring.aside WHERE state = 'dropped'");
    }

    private void create(String state) throws SQLException {
        create(RingSpec.named("r").lanes(1));
        keep("main", state, 1, MANY);
        database.run("ANALYZE slipring.aside");
    }

    private void create(RingSpec spec) {
        database.slipring().create(spec);
    }

    /** Rows of a stage in the first lane, in front of which it stands now. */
    private void keep(String stage, String state, int first, int last) throws SQLException {
        database.run(
                "INSERT INTO slipring.aside SELECT id, '"
                        + stage
                        + "', 0, p, '"
                        + state
                        + "', false, 1, now() + interval '1 day', 0, '', '', now(), now(),"
                        + " slipring.slot_of('{x}'::bytea[], NULL, NULL)"
                        + (" FROM slipring.ring, generate_series(" + first + ", " + last + ") p"));
        database.run(
                "UPDATE slipring.strand SET (claimed, done, high) = (9000, 9000, 9000), "
                        + state
                        + " = "
                        + (last - first + 1)
                        + " WHERE stage = '"
                        + stage
                        + "'");
    }

    /** How many rows of what is kept a statement reads, which answers with a number. */
    private long read(String sql, long answer) throws SQLException {
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            session.setAutoCommit(false);
            assertThat(number(statement, sql)).isEqualTo(answer);
            long read = number(statement, READ);
            session.commit();
            return read;
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}

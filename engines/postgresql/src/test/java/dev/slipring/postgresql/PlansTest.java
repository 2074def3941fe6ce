// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.ledger.LaneTable;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A session keeps the plans that it made when a table was nearly empty, and nothing analyzes these
 * tables when they have grown.
 */
class PlansTest {

    private static final String READ_WHOLE =
            "SELECT sum(seq_tup_read) FROM pg_stat_xact_user_tables WHERE schemaname = 'slipring'"
                    + " AND relname ~ '^(slot|strand|word)_'";

    private static final String READ_SLOTS =
            "SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0) FROM pg_stat_xact_user_tables"
                    + " WHERE schemaname = 'slipring' AND relname LIKE 'slot%'";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private long id;

    @BeforeEach
    void analyzeWhatIsEmpty() throws SQLException {
        database.ring(1);
        id = database.number("SELECT id FROM slipring.ring");
        database.run("VACUUM ANALYZE");
    }

    /** What Java calls. */
    @Test
    void pushesDoNotReadWholeSegments() throws SQLException {
        String push = "SELECT slipring.push_" + id + "(0, 1, 'x', 0, 0, NULL, NULL, NULL)";
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            for (int i = 0; i < 12; i++) {
                statement.execute(push);
            }
            statement.execute("BEGIN");
            statement.execute(push + " FROM generate_series(1, 200)");
            assertThat(number(statement, READ_WHOLE)).isZero();
            statement.execute("ROLLBACK");
        }
    }

    /** What Java calls. */
    @Test
    void claimsDoNotReadWholePages() throws SQLException {
        String claim =
                "SELECT max(epoch) FROM slipring.take_" + id + "('main', 1, 'w', 0, %s, 0, true)";
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            statement.execute("SELECT slipring.push('r', 'x') FROM generate_series(1, 100)");
            long epoch = -1;
            for (int i = 0; i < 50; i++) {
                epoch = number(statement, String.format(claim, epoch));
            }
            statement.execute("BEGIN");
            number(statement, String.format(claim, epoch));
            assertThat(number(statement, READ_WHOLE)).isZero();
            statement.execute("ROLLBACK");
        }
    }

    /** What people call. */
    @Test
    void wordsDoNotReadWholePages() throws SQLException {
        String work = "SELECT slipring.done(claim) FROM slipring.claim('r')";
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            statement.execute("SELECT slipring.push('r', 'x') FROM generate_series(1, 100)");
            for (int i = 0; i < 50; i++) {
                statement.execute(work);
            }
            statement.execute("BEGIN");
            statement.execute(work);
            assertThat(number(statement, READ_WHOLE)).isZero();
            statement.execute("ROLLBACK");
        }
    }

    /** By all rules, as the first claim of a session is. */
    @Test
    void claimsDoNotReadToTheEndOfTheLane() throws SQLException {
        fillThreeSegments();
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            statement.execute("BEGIN");
            assertThat(number(statement, "SELECT count(*) FROM slipring.claim('r', most => 9)"))
                    .isEqualTo(9);
            assertThat(number(statement, READ_SLOTS)).isLessThan(100);
            statement.execute("ROLLBACK");
        }
    }

    /** What a worker left, by all rules. */
    @Test
    void claimsOfWhatRanOutDoNotReadToTheEndOfTheLane() throws SQLException {
        fillThreeSegments();
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            statement.execute("SELECT slipring.give_back(claim) FROM slipring.claim('r')");
            statement.execute("BEGIN");
            assertThat(number(statement, "SELECT position FROM slipring.claim('r')")).isZero();
            assertThat(number(statement, READ_SLOTS)).isLessThan(100);
            statement.execute("ROLLBACK");
        }
    }

    /** A failed message is copied out of its slot. */
    @Test
    void failuresDoNotReadToTheEndOfTheLane() throws SQLException {
        fillThreeSegments();
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            statement.execute(
                    "SELECT slipring.fail(claim, position, 'no') FROM slipring.claim('r')");
            statement.execute("BEGIN");
            assertThat(number(statement, "SELECT aside FROM slipring.info('r')")).isOne();
            assertThat(number(statement, READ_SLOTS)).isLessThan(100);
            statement.execute("ROLLBACK");
        }
    }

    /** A stage may keep very many of them. */
    @Test
    void retriesDoNotReadDeadLetters() throws SQLException {
        database.run("SELECT slipring.push('r', 'x')");
        database.run("SELECT slipring.fail(claim, position, '', '0') FROM slipring.claim('r')");
        database.run(
                "INSERT INTO slipring.aside SELECT "
                        + id
                        + ", 'main', 0, p, 'dead', false, 5, now(), 0, '', '', now(), now(), ''"
                        + " FROM generate_series(1, 3000) p");
        database.run("ANALYZE slipring.aside");
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            statement.execute("BEGIN");
            assertThat(number(statement, "SELECT attempt FROM slipring.claim('r')")).isEqualTo(2);
            assertThat(number(statement, READ_SLOTS.replace("slot%", "aside"))).isLessThan(100);
            statement.execute("ROLLBACK");
        }
    }

    /** For a survey, a drop of dead letters, and a rewind. */
    @Test
    void oneSlotIsFoundWithoutTheOthers() throws SQLException {
        fillThreeSegments();
        try (Connection session = database.connect();
                Statement statement = session.createStatement()) {
            session.setAutoCommit(false);
            LaneTable lanes = new PostgresRows(new Statements(session), false).lanes();
            assertThat(lanes.oldest(id, 0)).hasValue(0);
            assertThat(lanes.pushedAt(id, 0, 3)).isPresent();
            assertThat(lanes.pushedSince(id, 0, 0)).hasValue(0);
            assertThat(number(statement, READ_SLOTS)).isLessThan(100);
        }
    }

    private void fillThreeSegments() throws SQLException {
        for (int segment = 0; segment < 3; segment++) {
            database.run("SELECT slipring.push('r', 'x') FROM generate_series(1, 1000)");
            database.nextSegment();
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}

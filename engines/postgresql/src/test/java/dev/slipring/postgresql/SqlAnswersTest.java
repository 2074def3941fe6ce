// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The functions for people tell how a ring is at this moment. */
class SqlAnswersTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @BeforeEach
    void open() {
        database.slipring();
    }

    private String text(String sql) throws SQLException {
        return database.text(sql);
    }

    private void create(String stage) throws SQLException {
        text(
                "SELECT slipring.create('r', lanes => 1, stages => '[{\"name\": \"s\""
                        + stage
                        + "}]')");
    }

    private void check() {
        assertThat(database.slipring().ring("r").check()).isEmpty();
    }

    private static void refused(String state, String words, ThrowingCallable call) {
        assertThatThrownBy(call)
                .hasMessageContaining(words)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
    }

    @Test
    void whatHasDiedIsThereAtOnce() throws SQLException {
        create(", \"tries\": 1");
        text("SELECT slipring.push_all('r', ARRAY['x', 'y'])");
        text(
                "SELECT slipring.fail(c.claim, c.position, 'boom')"
                        + " FROM slipring.claim('r', most => 2) c");
        assertThat(text("SELECT string_agg(id || body, ' ') FROM slipring.dead('r')"))
                .isEqualTo("0-0x 0-1y");
        check();
    }

    @Test
    void deadLettersAreReadAPageAtATime() throws SQLException {
        text(
                "SELECT slipring.create('p', lanes => 2,"
                        + " stages => '[{\"name\": \"s\", \"tries\": 1}]')");
        text(
                "SELECT slipring.push_all('p', ARRAY['a', 'b', 'c'], key => 'k' || n)"
                        + " FROM generate_series(0, 1) n");
        for (int lane = 0; lane < 2; lane++) {
            text(
                    "SELECT slipring.fail(c.claim, c.position, 'boom')"
                            + " FROM slipring.claim('p', most => 3) c");
        }
        assertThat(page("")).isEqualTo("0-0a 0-1b 0-2c 1-0a 1-1b 1-2c");
        assertThat(page(", most => 2")).isEqualTo("0-0a 0-1b");
        assertThat(page(", behind => '0-1', most => 2")).isEqualTo("0-2c 1-0a");
        assertThat(page(", behind => '1-0'")).isEqualTo("1-1b 1-2c");
        assertThat(page(", behind => '1-2', most => 2")).isNull();
        text("SELECT slipring.dead_drop('p', ids => ARRAY['0-2'])");
        assertThat(page(", behind => '0-1', most => 2")).isEqualTo("1-0a 1-1b");
        for (String wrong : List.of("behind => '0'", "behind => '0-1x'", "most => 0")) {
            refused("SLR05", "", () -> text("SELECT slipring.dead('p', " + wrong + ")"));
        }
    }

    private String page(String which) throws SQLException {
        return text("SELECT string_agg(id || body, ' ') FROM slipring.dead('p'" + which + ")");
    }

    @Test
    void deadLettersAreDropped() throws SQLException {
        create(", \"tries\": 1, \"keep\": 2");
        text("SELECT slipring.push_all('r', ARRAY['a', 'b', 'c', 'd'])");
        text(
                "SELECT slipring.fail(c.claim, c.position, 'boom')"
                        + " FROM slipring.claim('r', most => 2) c");
        String keeps = "stage 's' keeps 2 messages";
        assertThat(text("SELECT reason FROM slipring.info('r')")).startsWith(keeps);
        assertThat(text("SELECT count(*) FROM slipring.claim('r')")).isEqualTo("0");
        assertThat(text("SELECT slipring.dead_drop('r', ids => ARRAY['0-1', '0-7'])"))
                .isEqualTo("1");
        assertThat(text("SELECT string_agg(id, ' ') FROM slipring.dead('r')")).isEqualTo("0-0");
        assertThat(text("SELECT reason FROM slipring.info('r')")).isNull();
        check();
        assertThat(text("SELECT slipring.dead_drop('r')")).isEqualTo("1");
        assertThat(
                        database.number(
                                "SELECT s.kept_bytes FROM slipring.strand_now({ring}, 's', 0) s"))
                .isZero();
        check();
        text("SELECT slipring.done(claim) FROM slipring.claim('r', most => 2) LIMIT 1");
        assertThat(database.slipring().ring("r").drain(Duration.ZERO)).isTrue();
        assertThat(database.slipring().ring("r").info().heldMessages()).isZero();
        check();
    }

    /** A dropped message never reaches the stages that follow. */
    @Test
    void whatIsDroppedReachesNobody() throws SQLException {
        text(
                "SELECT slipring.create('r', lanes => 1, stages => '[{\"name\": \"s\", \"tries\":"
                        + " 1}, {\"name\": \"t\", \"after\": [\"s\"]}]')");
        text("SELECT slipring.push_all('r', ARRAY['bad', 'good'])");
        text(
                "SELECT slipring.fail(c.claim, c.position, 'boom')"
                        + " FROM slipring.claim('r', 's', most => 1) c");
        text("SELECT slipring.done(c.claim) FROM slipring.claim('r', 's') c");
        assertThat(text("SELECT slipring.dead_drop('r', 's')")).isEqualTo("1");
        check();
        assertThat(
                        text(
                                "SELECT string_agg(convert_from(body, 'UTF8'), ' ')"
                                        + " FROM slipring.claim('r', 't', most => 9)"))
                .isEqualTo("good");
        check();
    }

    @Test
    void inHandAreMessages() throws SQLException {
        create("");
        text("SELECT slipring.push_all('r', ARRAY['a', 'b', 'c'])");
        String claim = text("SELECT claim FROM slipring.claim('r', most => 3)");
        assertThat(text("SELECT in_hand FROM slipring.info('r')")).isEqualTo("3");
        text("SELECT slipring.done('" + claim + "', ARRAY[0])");
        assertThat(text("SELECT in_hand FROM slipring.info('r')")).isEqualTo("2");
        text("SELECT slipring.give_back('" + claim + "')");
        assertThat(text("SELECT in_hand FROM slipring.info('r')")).isEqualTo("0");
    }

    @Test
    void messagesAreThoseThatSomebodyNeeds() throws SQLException {
        create("");
        text("SELECT slipring.push_all('r', ARRAY['a', 'b', 'c'])");
        Claim claim = database.slipring().ring("r").stage().claim(2, Duration.ZERO);
        claim.done();
        assertThat(text("SELECT string_agg(position || body, ' ') FROM slipring.messages('r')"))
                .isEqualTo("2c");
    }

    @Test
    void aStageThatIsToFollowAnotherTwiceFollowsItOnce() throws SQLException {
        text(
                "SELECT slipring.create('r', stages =>"
                        + " '[{\"name\": \"x\", \"after\": [\"y\", \"y\"]}, {\"name\": \"y\"}]')");
        assertThat(text("SELECT array_to_string(after, ' ') FROM slipring.stage WHERE name = 'x'"))
                .isEqualTo("y");
        assertThat(database.slipring().ring("r").spec().stages().after("x")).containsExactly("y");
        refused(
                "SLR05",
                "after is a list of names",
                () ->
                        text(
                                "SELECT slipring.create('s', stages =>"
                                        + " '[{\"name\": \"x\", \"after\": [[\"y\"]]}]')"));
    }

    @Test
    void messagesAreWithoutThoseThatWereJustDone() throws SQLException {
        create("");
        text("SELECT slipring.push_all('r', ARRAY['a', 'b', 'c'])");
        String claim = text("SELECT claim FROM slipring.claim('r', most => 2)");
        text("SELECT slipring.done('" + claim + "')");
        assertThat(text("SELECT string_agg(position || body, ' ') FROM slipring.messages('r')"))
                .isEqualTo("2c");
    }

    @Test
    void whyAStageHandsOutNothing() throws SQLException {
        create("");
        database.slipring().ring("r").stage().pause();
        assertThat(text("SELECT reason FROM slipring.info('r')")).isEqualTo("stage 's' is paused");
    }

    @Test
    void aPushThatCanNeverFitIsNoMatterOfWaiting() throws SQLException {
        text("SELECT slipring.create('small', lanes => 1, messages => 2, bytes => 100)");
        for (String push :
                List.of(
                        "push('small', repeat('x', 200))",
                        "push_all('small', ARRAY['a', 'b', 'c'])",
                        "push_all('small', ARRAY[repeat('x', 200)])")) {
            refused(
                    "SLR05",
                    "ring 'small' is too small for this push",
                    () -> text("SELECT slipring." + push));
        }
        text("SELECT slipring.push_all('small', ARRAY['a', 'b'])");
        refused(
                "SLR02",
                "room for 0 of 2 messages and 84 of 100 bytes; stage 'main' holds its gate",
                () -> text("SELECT slipring.push('small', 'c'::text)"));
    }

    @Test
    void aRetryBeforeNowIsRefusedInWords() throws SQLException {
        create("");
        refused(
                "SLR05",
                "a retry after less than nothing",
                () -> text("SELECT slipring.fail('r/s/0/1/new', 0, 'x', '-1 hour')"));
    }

    /**
     * A transaction that began before a claim does not see it: it is told to begin again, and not
     * that it is late.
     */
    @Test
    void aClaimThatIsYoungerThanTheTransactionIsNotLate() throws SQLException {
        create("");
        text("SELECT slipring.push_all('r', ARRAY['a'])");
        Connection early = database.other();
        early.setAutoCommit(false);
        early.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = early.createStatement()) {
            statement.execute("SELECT 1 FROM slipring.info('r')");
            String claim = text("SELECT claim FROM slipring.claim('r')");
            String done = "SELECT slipring.done('" + claim + "')";
            refused("40001", "begin again", () -> statement.execute(done));
            early.rollback();
            statement.execute(done);
            early.commit();
        }
        assertThat(database.slipring().ring("r").drain(Duration.ZERO)).isTrue();
    }

    /**
     * If a ring was dropped since the snapshot, the transaction still sees its row, but nothing
     * else of it.
     */
    @Test
    void aRingThatWasDroppedSinceTheSnapshotIsNotThere() throws SQLException {
        create("");
        text("SELECT slipring.push('r', 'x')");
        Connection early = database.other();
        early.setAutoCommit(false);
        early.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = early.createStatement()) {
            statement.execute("SELECT 1");
            database.slipring().drop("r");
            for (String call :
                    List.of(
                            "SELECT slipring.push('r', 'y')",
                            "SELECT slipring.push_all('r', ARRAY['y', 'z'])",
                            "SELECT slipring.done('r/s/0/1/new')",
                            "SELECT slipring.info('r')",
                            "SELECT slipring.messages('r')",
                            "SELECT slipring.dead('r')")) {
                statement.execute("SAVEPOINT here");
                refused("SLR01", "ring 'r' was dropped", () -> statement.execute(call));
                statement.execute("ROLLBACK TO here");
            }
            early.rollback();
        }
    }

    @Test
    void aRingThatWasMadeSinceTheSnapshotIsThere() throws SQLException {
        Connection early = database.other();
        early.setAutoCommit(false);
        early.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = early.createStatement()) {
            statement.execute("SELECT 1");
            create("");
            String again = "SELECT slipring.create('r')";
            refused("42710", "a ring 'r' already", () -> statement.execute(again));
            early.rollback();
        }
        check();
    }

    @Test
    void whatIsNullIsNotDeclared() throws SQLException {
        create(
                ", \"after\": null, \"ordered\": null, \"lease_ms\": null, \"tries\": null,"
                        + " \"backoff_first_ms\": null, \"backoff_most_ms\": null, \"keep\": null");
        text("SELECT slipring.create('plain', stages => '[{\"name\": \"s\"}]')");
        assertThat(text("SELECT count(DISTINCT to_jsonb(s) - 'ring') FROM slipring.stage s"))
                .isEqualTo("1");
        refused(
                "SLR05",
                "after is a list of names, not [null]",
                () ->
                        text(
                                "SELECT slipring.create('x', stages => '[{\"name\": \"a\","
                                        + " \"after\": [null]}]')"));
        refused(
                "SLR05",
                "there is no 'nope'",
                () ->
                        text(
                                "SELECT slipring.create('x', stages => '[{\"name\": \"a\","
                                        + " \"nope\": null}]')"));
    }
}

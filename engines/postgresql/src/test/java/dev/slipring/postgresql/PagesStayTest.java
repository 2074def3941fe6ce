// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The pages of the logs are emptied, whoever has claims in hand or reports on them. */
class PagesStayTest {

    private static final String TIDY = "SELECT count(slipring.tidy('r'))";
    private static final String PAGE = "SELECT last_value FROM slipring.page";
    private static final String FIRST_PAGE =
            "SELECT pg_relation_size('slipring.strand_0') + pg_relation_size('slipring.word_0')";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;
    private Claim claim;

    @BeforeEach
    void claimOnTheFirstPage() {
        ring = database.slipring().create(RingSpec.named("r"));
        ring.pushAll(List.of(Message.of("a"), Message.of("b")));
        claim = ring.stage().claim(9, Duration.ZERO);
        assertThat(claim.deliveries()).hasSize(2);
    }

    private void turnPage() throws SQLException {
        database.number("SELECT setval('slipring.page', last_value + 1) FROM slipring.page");
    }

    @Test
    void aClaimInHandKeepsNoPage() throws SQLException {
        turnPage();
        database.number(TIDY);
        assertThat(database.number(FIRST_PAGE)).isZero();
        claim.done();
        assertThat(ring.info().stages().get(0).done()).isEqualTo(2);
        assertThat(ring.info().stages().get(0).lag()).isZero();
        assertThat(ring.check()).isEmpty();
    }

    /**
     * A page is used again only once its emptying is committed: else all rings would go on from
     * what stood on it before.
     */
    @Test
    void aPageBeginsOnceItIsEmptiedForGood() throws SQLException {
        database.run("SELECT setval('slipring.page', 3)");
        database.run(
                "INSERT INTO slipring.word SELECT 3, 1, 'of a ring that is gone', 0, 1, i, now(),"
                        + " '{}', '{}', '{}', '{}', 'keep' FROM generate_series(1, 80000) i");
        assertThat(database.number("SELECT slipring.is_page_full()::int")).isEqualTo(1);
        try (Connection open = database.connect();
                Statement sql = open.createStatement()) {
            open.setAutoCommit(false);
            for (int i = 0; i < 3; i++) {
                sql.execute(TIDY);
            }
            open.rollback();
        }
        assertThat(database.number(PAGE)).isEqualTo(3);
        database.number(TIDY);
        database.number(TIDY);
        assertThat(database.number(PAGE)).isEqualTo(4);
        claim.done();
        assertThat(ring.info().stages().get(0).done()).isEqualTo(2);
        assertThat(ring.check()).isEmpty();
    }

    /**
     * A word that was taken in stays on its page as long as the lease lasts, for a transaction
     * whose snapshot does not see that it was taken in.
     */
    @Test
    void aWordThatIsFoldedInKeepsItsPageWhileTheLeaseLasts() throws SQLException {
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            ring.join(caller).done(claim, claim.deliveries().get(0));
            caller.commit();
        }
        turnPage();
        database.number(TIDY);
        assertThat(database.number("SELECT count(*) FROM slipring.word_0")).isEqualTo(1);
        assertThat(ring.info().stages().get(0).done()).isEqualTo(1);
        claim.done();
        database.number(TIDY);
        assertThat(database.number(FIRST_PAGE)).isZero();
        assertThat(ring.check()).isEmpty();
    }

    /**
     * Such a done is not late, only to be tried again: its strand stands on a page that the old
     * snapshot does not see.
     */
    @Test
    void aDoneBehindATurnOfTheLogIsToBeTriedAgain() throws SQLException {
        ring.push("c");
        String named = database.text("SELECT claim FROM slipring.claim('r', most => 9)");
        try (Connection old = database.connect();
                Statement sql = old.createStatement()) {
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            old.setAutoCommit(false);
            sql.execute("SELECT 1 FROM pg_class LIMIT 1");
            turnPage();
            database.number(TIDY);
            assertThat(database.number(FIRST_PAGE)).isZero();
            assertThatThrownBy(() -> sql.execute("SELECT slipring.done('" + named + "')"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getSQLState()).isEqualTo("40001"));
            old.rollback();
            sql.execute("SELECT slipring.done('" + named + "')");
            old.commit();
        }
        claim.done();
        assertThat(ring.info().stages().get(0).done()).isEqualTo(3);
        assertThat(ring.check()).isEmpty();
    }

    /** If no worker is left that would take a word in, tidying up does. */
    @Test
    void aWordThatNobodyTakesInKeepsNoPage() throws SQLException {
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            ring.join(caller).done(claim);
            caller.commit();
        }
        turnPage();
        database.number(TIDY);
        database.number(TIDY);
        assertThat(database.number(FIRST_PAGE)).isZero();
        assertThat(ring.info().stages().get(0).done()).isEqualTo(2);
    }

    /** A transaction with a word locks the page of that word and no other. */
    @Test
    void aWordInALongTransactionKeepsItsPageOnly() throws SQLException {
        turnPage();
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            ring.join(caller).done(claim);
            assertThat(
                            database.number(
                                    "SELECT count(DISTINCT c.oid) FROM pg_locks l JOIN pg_class c"
                                            + " ON c.oid = l.relation"
                                            + " WHERE c.relname ~ '^word_.$'"))
                    .isEqualTo(1);
            caller.commit();
        }
        assertThat(ring.info().stages().get(0).done()).isEqualTo(2);
    }
}

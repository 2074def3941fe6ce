// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Segments are emptied in transactions that may be rolled back, or stay open. */
class TidyOnceTest {

    private static final String CLAIMS =
            "SELECT count(slipring.done(concat_ws('/', 'r', 'main', lane, epoch, 'new')))"
                    + " FROM slipring.claim_slots('r', 'main', 100, 'w', NULL, NULL, NULL, NULL,"
                    + " NULL, NULL, NULL, NULL, NULL) WHERE status = 'claimed'";
    private static final String TURN = "SELECT last_value FROM slipring.turn_{ring}";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Statement open;

    /** Fills the last segment, and puts something into those before it; all of it is done. */
    @BeforeEach
    void fill() throws SQLException {
        database.slipring();
        database.run("SELECT slipring.create('r', lanes => 1)");
        for (int i = 0; i < 7; i++) {
            database.run("SELECT slipring.push('r', 'x')");
            database.nextSegment();
        }
        database.run(
                "SELECT slipring.push('r', convert_to(repeat('x', 8000000), 'UTF8'))"
                        + " FROM generate_series(1, 9)");
        while (database.number(CLAIMS) > 0) {
            assertThat(database.number(TURN)).isEqualTo(7);
        }
        open = database.other().createStatement();
        open.execute("BEGIN");
    }

    /**
     * If emptying is rolled back, no segment begins: else later pushes would stand in front of rows
     * that came back.
     */
    @Test
    void whatIsRolledBackBeginsNoSegment() throws SQLException {
        for (int i = 0; i < 3; i++) {
            open.execute("SELECT slipring.tidy('r')");
        }
        open.execute("ROLLBACK");
        assertThat(database.number(TURN)).isEqualTo(7);
        database.run("SELECT slipring.tidy('r')");
        database.run("SELECT slipring.tidy('r')");
        assertThat(database.number(TURN)).isEqualTo(8);
        database.run("SELECT slipring.push('r', 'y')");
        assertThat(database.number(CLAIMS)).isEqualTo(1);
        assertThat(database.slipring().ring("r").check()).isEmpty();
    }

    /**
     * Claims in a transaction that stays open empty nothing, and so hold up no other session, until
     * it commits.
     */
    @Test
    void claimsEmptyWhenTheirTransactionEnds() throws SQLException {
        claimUntilSomethingIsLeftToDo();
        assertThat(
                        ofOpen(
                                "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()"
                                        + " AND mode = 'AccessExclusiveLock'"))
                .isZero();
        String oldest = "SELECT pg_relation_size('slipring.slot_{ring}_0')";
        assertThat(database.number(oldest)).isPositive();
        open.execute("COMMIT");
        assertThat(database.number(oldest)).isZero();
        assertThat(database.number("SELECT count(*) FROM slipring.chore")).isZero();
    }

    /** If emptying fails, the claims are there all the same, and nothing is left behind. */
    @Test
    void whatCannotBeEmptiedFailsNoClaim() throws SQLException {
        database.run(
                "CREATE OR REPLACE FUNCTION slipring.tidy_all(r slipring.ring) RETURNS void"
                        + " LANGUAGE plpgsql AS $$ BEGIN RAISE 'by plan'; END $$");
        database.run("SELECT slipring.push('r', 'y')");
        claimUntilSomethingIsLeftToDo();
        assertThat(ofOpen("SELECT count(*) FROM slipring.chore")).isPositive();
        open.execute("COMMIT");
        assertThat(database.number(CLAIMS)).as("the message is in hand").isZero();
        assertThat(database.number("SELECT count(*) FROM slipring.chore")).isZero();
    }

    /** Each claim looks only at random. */
    private void claimUntilSomethingIsLeftToDo() throws SQLException {
        for (int i = 0; i < 1_000 && ofOpen("SELECT count(*) FROM slipring.chore") == 0; i++) {
            open.executeQuery("SELECT slipring.claim('r')").close();
        }
    }

    private long ofOpen(String sql) throws SQLException {
        try (ResultSet row = open.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }

    /**
     * Many strands are carried over in several transactions: each takes a lock until the end, and a
     * server has a limited number of locks.
     */
    @Test
    void manyStrandsAreCarriedSomeAtATime() throws SQLException {
        List<StageSpec> stages =
                IntStream.range(0, 40).mapToObj(i -> StageSpec.named("s" + i)).toList();
        database.slipring().create(RingSpec.named("many").lanes(16).graph(stages, Map.of()));
        open.execute("ROLLBACK");
        database.run("SELECT setval('slipring.page', 1)");
        String carried =
                "SELECT count(*) FROM slipring.strand_1 WHERE ring <> " + database.of("{ring}");
        open.execute("SELECT slipring.carry(1)");
        long first = database.number(carried);
        assertThat(first).isBetween(1L, 500L);
        open.execute("SELECT slipring.carry(1)");
        assertThat(database.number(carried)).isEqualTo(640);
    }
}

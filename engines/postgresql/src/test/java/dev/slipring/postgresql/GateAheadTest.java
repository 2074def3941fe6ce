// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A gate that is ahead of messages that are not done: setting a gate is not part of a transaction,
 * but the dones are.
 */
@Timeout(120)
class GateAheadTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;

    @BeforeEach
    void create() {
        ring = database.ring(1);
    }

    /** Pushes this many messages, claims all and reports them as done, and rolls that back. */
    private void takeBack(int pushes) throws SQLException {
        try (Connection open = database.connect();
                Statement sql = open.createStatement()) {
            open.setAutoCommit(false);
            for (int i = 0; i < pushes; i++) {
                sql.execute("SELECT slipring.push('r', 'taken back')");
            }
            String claim = "SELECT claim FROM slipring.claim('r', most => 100)";
            try (ResultSet row = sql.executeQuery(claim)) {
                assertThat(row.next()).isTrue();
                claim = row.getString(1);
            }
            sql.execute("SELECT slipring.done('" + claim + "')");
            // This claim takes the word in, and moves the gate.
            sql.execute("SELECT slipring.claim('r', most => 100)");
            open.rollback();
        }
    }

    private void push(int messages) {
        push(ring, messages);
    }

    private static void push(Ring to, int messages) {
        IntStream.range(0, messages)
                .forEach(i -> to.push(Message.of("message " + i).key("key " + i)));
    }

    private void comeOut(String stage, int messages) throws SQLException {
        for (int left = messages; left > 0; ) {
            Claim claim = ring.stage(stage).claim(left, LONG);
            assertThat(claim.deliveries()).as("in time").isNotEmpty();
            left -= claim.deliveries().size();
            claim.done();
        }
    }

    private void isWhole() throws SQLException {
        assertThat(ring.check()).isEmpty();
        assertThat(ring.info().heldMessages()).isZero();
        assertThat(database.number("SELECT last_value FROM slipring.gate_{ring}_0"))
                .isEqualTo(database.number("SELECT last_value FROM slipring.head_{ring}_0"));
    }

    @Test
    void whatWasDoneInATransactionThatIsRolledBackComesAgain() throws SQLException {
        push(10);
        takeBack(0);
        comeOut("main", 10);
        isWhole();
    }

    @Test
    void whatIsPushedBehindItComesToo() throws SQLException {
        push(1);
        comeOut("main", 1);
        takeBack(50);
        push(2);
        comeOut("main", 2);
        isWhole();
    }

    /** A dump has the rows of the moment when it began, and sequences that were read later. */
    @Test
    void sequencesThatAreNewerThanTheirRows() throws SQLException {
        push(10);
        database.run("SELECT setval('slipring.head_{ring}_0', 1600)");
        database.run("SELECT setval('slipring.gate_{ring}_0', 1600)");
        push(2);
        comeOut("main", 12);
        isWhole();
    }

    /**
     * A claim that takes new messages from some lanes does not end empty before it has seen the
     * other lanes.
     */
    @Test
    void anEmptyClaimMeansThatNothingIsLeft() throws SQLException {
        Ring wide = database.slipring().create(RingSpec.named("wide").lanes(8));
        push(wide, 40);
        long id = database.number("SELECT id FROM slipring.ring WHERE name = 'wide'");
        for (int lane = 0; lane < 4; lane++) {
            database.run("SELECT setval('slipring.head_" + id + "_" + lane + "', 1600)");
            database.run("SELECT setval('slipring.gate_" + id + "_" + lane + "', 1600)");
        }
        push(wide, 40);
        assertThat(drained(wide)).isEqualTo(80);
        assertThat(wide.check()).isEmpty();
    }

    /** Even a claim that has found nothing a moment ago does not trust a gate that is ahead. */
    @Test
    void whoTakesWhatIsNewTrustsNoGateThatIsAhead() throws SQLException {
        push(10);
        database.run("SELECT setval('slipring.gate_{ring}_0', 1600)");
        String calm = "slipring.take_{ring}('main', 100, 'w', NULL, NULL, 0, true)";
        assertThat(database.number("SELECT count(*) FROM " + calm + " WHERE status = 'claimed'"))
                .isPositive();
    }

    @Test
    void aClaimThatFindsNothingNewLooksBehindTheGates() throws SQLException {
        Ring wide = database.slipring().create(RingSpec.named("wide").lanes(8));
        long id = database.number("SELECT id FROM slipring.ring WHERE name = 'wide'");
        push(wide, 40);
        for (int lane = 0; lane < 4; lane++) {
            String of = id + "_" + lane;
            database.run(
                    "SELECT setval('slipring.gate_"
                            + of
                            + "', (SELECT last_value FROM slipring.head_"
                            + of
                            + "))");
        }
        assertThat(drained(wide)).isEqualTo(40);
        assertThat(wide.check()).isEmpty();
    }

    /** How many messages are claimed and done before a claim is empty. */
    private static int drained(Ring wide) {
        int seen = 0;
        Claim claim = wide.stage().claim(7, Duration.ZERO);
        while (!claim.isEmpty()) {
            seen += claim.deliveries().size();
            claim = claim.doneAndNext(7, Duration.ZERO);
        }
        return seen;
    }

    @Test
    void aStageThatComesSeesEverything() throws SQLException {
        push(10);
        takeBack(0);
        ring.addStage(StageSpec.named("late"), Set.of(), Start.OLDEST);
        comeOut("late", 10);
        comeOut("main", 10);
        isWhole();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
            // This claim takes the word in.
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

    /** The ways on which a gate that is ahead goes back. */
    enum Back {
        /** A change takes in what was said, and looks at all gates. */
        CHANGE {
            @Override
            void move(Ring ring) {
                ring.stage().pause();
            }
        },
        /** The whole way of a word. */
        WORD {
            @Override
            void move(Ring ring) {
                ring.stage().claim(1, LONG).done();
            }
        },
        /** A word that comes with the next claim. */
        NEXT {
            @Override
            void move(Ring ring) {
                ring.stage().claim(1, LONG).doneAndNext(1, LONG);
            }
        };

        abstract void move(Ring ring);
    }

    /** A lane gets credit for what is free, and that was too much as long as the gate was ahead. */
    @ParameterizedTest
    @EnumSource
    void whatItFreedByMistakeIsNoCredit(Back back) throws SQLException {
        Ring small = database.slipring().create(RingSpec.named("small").lanes(1).messages(20));
        push(small, 18);
        long id = database.number("SELECT id FROM slipring.ring WHERE name = 'small'");
        database.run("SELECT setval('slipring.gate_" + id + "_0', 18)");
        push(small, 1);
        back.move(small);
        long held = small.info().heldMessages();
        push(small, (int) (20 - held));
        assertThatThrownBy(() -> small.push(Message.of("too much"), Duration.ZERO))
                .isInstanceOf(RingFull.class);
    }

    /** Who has no locks sees the stage as it was before, and must not set the gate by that. */
    @Test
    void nobodyMovesAGateWhileAStageGoesBack() throws Exception {
        // In one slot, to whose beginning the stage can go back.
        ring.pushAll(Collections.nCopies(7, Message.of("message")));
        comeOut("main", 5);
        atCommit("INSERT ON slipring.strand_0", "pg_advisory_xact_lock_shared(1)");
        try (Connection gatekeeper = database.connect();
                Statement sql = gatekeeper.createStatement()) {
            sql.execute("SELECT pg_advisory_lock(1)");
            CompletableFuture<Void> rewind =
                    CompletableFuture.runAsync(() -> ring.stage().rewind(Start.OLDEST));
            database.awaitWaiting(1, "locktype = 'advisory' AND objid = 1", rewind);
            database.run("SELECT slipring.fold_ring('r')");
            sql.execute("SELECT pg_advisory_unlock(1)");
            rewind.get();
        }
        assertThat(database.number("SELECT last_value FROM slipring.gate_{ring}_0")).isZero();
    }

    /** Has each transaction that does something call a function as it ends. */
    private void atCommit(String what, String function) throws SQLException {
        database.run(
                "CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN PERFORM "
                        + function
                        + "; RETURN NULL; END';"
                        + " CREATE CONSTRAINT TRIGGER at_commit AFTER "
                        + what
                        + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION"
                        + " at_commit()");
    }
}

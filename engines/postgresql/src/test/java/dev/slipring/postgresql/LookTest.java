// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Messages that are not new, in a ring with a lane that always has new ones: although claims take
 * new ones, they look at everything now and then.
 *
 * <pre>
 *     lane of "busy"     n n n n n n n n n …   a claim takes one, and pushes another
 *     lane of "quiet"    what is looked for
 * </pre>
 */
@Timeout(300)
class LookTest {

    private static final String BUSY = "busy";
    private static final String QUIET = "quiet";
    private static final Duration BRIEF = Duration.ofSeconds(5);
    private static final Duration FOR_EVER = Duration.ofHours(1);

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;

    /** Makes a ring whose leases run out during a test, or never. */
    private void create(Duration lease, int tries) {
        StageSpec stage = StageSpec.named("main").lease(lease).tries(tries).keep(1);
        ring = database.ring(8, stage);
        keepBusy();
    }

    private void keepBusy() {
        for (int i = 0; i < 4; i++) {
            ring.push(Message.of("new").key(BUSY));
        }
    }

    private Claim claim() {
        return ring.stage("main").claim(1, Duration.ZERO);
    }

    /** Takes what comes, and pushes as much, until a condition holds, for a minute at most. */
    private boolean streamUntil(BooleanSupplier something) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!something.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            ring.push(Message.of("new").key(BUSY));
        }
        return true;
    }

    private boolean comes(String text) {
        Claim claim = claim();
        if (claim.isEmpty()) {
            return false;
        }
        boolean found = claim.deliveries().get(0).text().equals(text);
        claim.done();
        return found;
    }

    /** Claims until the quiet message comes; all claims before that are done. */
    private Claim claimOf(String text) {
        Claim claim = claim();
        while (claim.isEmpty() || !claim.deliveries().get(0).text().equals(text)) {
            if (!claim.isEmpty()) {
                claim.done();
            }
            claim = claim();
        }
        keepBusy();
        return claim;
    }

    @Test
    void aLaneThatIsAlwaysFullKeepsNoneWaiting() {
        create(FOR_EVER, 5);
        assertThat(comes("new")).as("the busy lane is where this process looks first").isTrue();
        ring.push(Message.of("other").key(QUIET));
        assertThat(streamUntil(() -> comes("other"))).isTrue();
    }

    /**
     * A claim that has just looked at everything, and found it in hand, finds what is given back
     * after that.
     */
    @Test
    void whatOthersGiveBackComesBehindALookInVain() throws SQLException {
        create(FOR_EVER, 5);
        try (Slipring elsewhere = Slipring.open(database.url())) {
            Stage other = elsewhere.ring("r").stage();
            assertThat(other.claim(9, Duration.ZERO).deliveries()).hasSize(4);
            ring.push(Message.of("quiet").key(QUIET));
            Claim quiet = other.claim(1, Duration.ZERO);
            assertThat(claim().isEmpty()).isTrue();
            quiet.giveBack();
            Claim again = claim();
            assertThat(again.isEmpty()).isFalse();
            // Whether that took what is new alone is a matter of time.
            again.giveBack();
            String calm = "slipring.take_{ring}('main', 1, 'w', NULL, NULL, 0, true)";
            assertThat(database.text("SELECT status FROM " + calm)).isEqualTo("claimed");
        }
    }

    @Test
    void whatRanOutComesAgain() {
        create(BRIEF, 5);
        ring.push(Message.of("lost").key(QUIET));
        claimOf("lost");
        assertThat(streamUntil(() -> comes("lost"))).isTrue();
    }

    /** A word that is rolled back leaves the gate where it has moved it, ahead of the messages. */
    @Test
    void whatRanOutBehindItsGateComesAgain() throws SQLException {
        create(BRIEF, 5);
        ring.push(Message.of("lost").key(QUIET));
        String lane = String.valueOf(claimOf("lost").lane());
        String moved =
                "SELECT setval('slipring.gate_{ring}_@',"
                        + " pg_sequence_last_value('slipring.head_{ring}_@'))";
        database.run(moved.replace("@", lane));
        assertThat(streamUntil(() -> comes("lost"))).isTrue();
    }

    @Test
    void whatIsGoneBackToComesAgain() {
        create(FOR_EVER, 5);
        ring.addStage(StageSpec.named("slow"), Set.of(), Start.OLDEST);
        ring.push(Message.of("once").key(QUIET));
        claimOf("once").done();
        ring.stage("main").rewind(Start.OLDEST);
        assertThat(streamUntil(() -> comes("once"))).isTrue();
    }

    @Test
    void aWordOfACallerIsTakenIn() throws SQLException {
        create(FOR_EVER, 5);
        ring.push(Message.of("done").key(QUIET));
        Claim claim = claimOf("done");
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            ring.join(caller).done(claim);
            caller.commit();
        }
        assertThat(streamUntil(() -> comes("none") || nothingIsInHand())).isTrue();
    }

    private boolean nothingIsInHand() {
        try {
            return database.number(
                            "SELECT count(*) FROM generate_series(0, 7) lane,"
                                    + " slipring.strand_now({ring}, 'main', lane) s"
                                    + " WHERE cardinality(s.hands) > 0")
                    == 0;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /**
     * A push that was rolled back leaves a gap, if the next push sees nothing of what came before.
     */
    @Test
    void whatStandsBehindAGapComes() throws SQLException {
        create(FOR_EVER, 5);
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            ring.join(caller).push(Message.of("gone").key(QUIET));
            caller.rollback();
            caller.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            ring.join(caller).push(Message.of("behind it").key(QUIET));
            caller.commit();
        }
        assertThat(streamUntil(() -> comes("behind it"))).isTrue();
    }

    /** A stage that has set aside as much as it may hands out nothing new. */
    @Test
    void aStageThatKeepsTooMuchIsStalled() {
        create(FOR_EVER, 1);
        ring.push(Message.of("bad").key(QUIET));
        Claim claim = claimOf("bad");
        claim.fail(claim.deliveries().get(0), "no");
        assertThat(streamUntil(() -> claim().isEmpty())).isTrue();
    }
}

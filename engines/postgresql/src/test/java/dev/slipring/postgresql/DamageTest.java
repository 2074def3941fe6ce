// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * If somebody has deleted messages of a ring, the others are handled. A push that a trigger turns
 * away is refused.
 */
@Timeout(120)
class DamageTest {

    private static final String LOST =
            "message 0-0 is not there, or cannot be read; run 'slipring check'";

    /** The segments that the asking transaction has locked. */
    private static final String SEGMENTS_LOCKED =
            "SELECT c.relname FROM pg_locks l JOIN pg_class c ON c.oid = l.relation"
                    + " WHERE l.pid = pg_backend_pid() AND c.relname ~ '^slot_[0-9]+_[0-9]$'";

    private static final StageSpec STAGE = StageSpec.named("s").tries(2);

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;

    @BeforeEach
    void create() {
        ring = database.ring(1, STAGE);
        ring.push("lost".repeat(10_000));
    }

    private Claim claim() {
        return ring.stage().claim(1, Duration.ofSeconds(20));
    }

    /** From now on claims run out soon; before, whoever has one has time, however slow all is. */
    private void soonRunOut() {
        ring.stage().redeclare(STAGE.lease(Duration.ofSeconds(2)));
    }

    private void lose(String which) throws SQLException {
        database.run("DELETE FROM slipring.slot_{ring}_0 WHERE until = 1 AND " + which);
    }

    /**
     * Checks that other messages are handed out at once, and that the room of the lost one becomes
     * free when its tries are used up.
     */
    private void requireGoesOn() {
        soonRunOut();
        ring.push("another");
        Claim next = claim();
        assertThat(next.deliveries())
                .extracting(one -> one.position() + " " + one.attempt() + " " + one.text())
                .containsOnly("1 1 another");
        next.done();
        while (ring.info().heldMessages() > 0) {
            try (Claim nothing = ring.stage().claim(1, Duration.ofMillis(100))) {
                assertThat(nothing.isEmpty()).isTrue();
            }
        }
    }

    /** What is lost: the whole slot, all rows of its body but the first, or the last one. */
    @ParameterizedTest
    @ValueSource(
            strings = {"true", "rest", "part = (SELECT max(x.part) FROM slipring.slot_{ring}_0 x)"})
    void aFailureWhoseMessageIsLostIsRefused(String which) throws SQLException {
        Claim claim = claim();
        lose(which);
        assertThat(ring.check()).isNotEmpty();
        assertThatThrownBy(() -> claim.fail(claim.deliveries().get(0), "by plan"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(LOST);
    }

    /** A stage that looks in later segments than its messages are in finds none. */
    @Test
    void whoLooksInAnotherSegmentIsNamed() throws SQLException {
        database.run("UPDATE slipring.strand SET seg = 5");
        try (Claim nothing = ring.stage().claim(1, Duration.ZERO)) {
            assertThat(nothing.isEmpty()).isTrue();
        }
        assertThat(ring.check())
                .containsExactly(
                        "stage 's', lane 0: the message at 0 is there, but the next claim looks"
                                + " for it elsewhere; rewind the stage");
        ring.stage().rewind(Start.OLDEST);
        assertThat(ring.check()).isEmpty();
        assertThat(claim().deliveries()).hasSize(1);
    }

    @Test
    void whatIsLostInAClaimThatRunsOutKeepsNothingElse() throws SQLException {
        soonRunOut();
        assertThat(claim().isEmpty()).isFalse();
        lose("true");
        requireGoesOn();
    }

    /**
     * In a transaction a failure does not look for its message, as it would keep the segment locked
     * until the end.
     */
    @Test
    void aFailureInATransactionHoldsNothingUp() throws SQLException {
        Claim claim = claim();
        lose("true");
        failInATransaction(claim);
        requireGoesOn();
    }

    @Test
    void aFailureThatWasSaidBeforeHoldsNothingUp() throws SQLException {
        Claim claim = claim();
        failInATransaction(claim);
        lose("true");
        requireGoesOn();
    }

    /**
     * Such a push is refused both behind the last slot of its lane and as the first of a lane in a
     * segment.
     */
    @Test
    void aPushThatATriggerTurnsAwayIsRefused() throws SQLException {
        turnAway("slot_{ring}_0");
        turnAway("slot_{ring}_1");
        for (int turn = 0; turn < 2; turn++) {
            assertThatThrownBy(() -> ring.push("away"))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("nothing was stored")
                    .hasMessageContaining("turns away messages");
            database.run(NewDatabase.NEXT_SEGMENT);
        }
        // The segment into which pushes go now has no trigger.
        ring.push("x");
        assertThat(ring.info().heldMessages()).isEqualTo(2);
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void aFailureThatATriggerTurnsAwayIsRefused() throws SQLException {
        Claim claim = claim();
        turnAway("aside");
        assertThatThrownBy(() -> claim.fail(claim.deliveries().get(0), "no", Duration.ZERO))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("a trigger on slipring.aside turns away messages");
        database.run("DROP TRIGGER away ON slipring.aside");
        claim.fail(claim.deliveries().get(0), "no", Duration.ZERO);
        assertThat(ring.stage().claim(1, Duration.ofSeconds(20)).deliveries()).hasSize(1);
    }

    /** A stage that has passed a message gets it when the one in front is done with it at last. */
    @Test
    void aMessageThatArrivesLateAndIsTurnedAwayIsNotLost() throws SQLException {
        Ring two =
                database.slipring()
                        .create(
                                RingSpec.named("two")
                                        .lanes(1)
                                        .graph(
                                                StageSpec.named("first")
                                                        .tries(2)
                                                        .then(StageSpec.named("behind"))));
        two.push("late");
        two.push("in time");
        Claim both = two.stage("first").claim(2, Duration.ofSeconds(20));
        both.fail(both.deliveries().get(0), "no", Duration.ZERO);
        both.done(both.deliveries().get(1));
        two.stage("behind").claim(2, Duration.ofSeconds(20)).done();
        two.stage("first").claim(1, Duration.ofSeconds(20)).done();
        turnAway("aside");
        assertThatThrownBy(() -> two.stage("behind").claim(1, Duration.ofSeconds(20)))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("a trigger on slipring.aside turns away messages");
        database.run("DROP TRIGGER away ON slipring.aside");
        assertThat(two.stage("behind").claim(1, Duration.ofSeconds(20)).deliveries().get(0).text())
                .isEqualTo("late");
    }

    private void turnAway(String table) throws SQLException {
        database.run(
                "CREATE OR REPLACE FUNCTION away() RETURNS trigger LANGUAGE plpgsql"
                        + " AS 'BEGIN RETURN NULL; END'");
        database.run(
                "CREATE TRIGGER away BEFORE INSERT ON slipring."
                        + table
                        + " FOR EACH ROW EXECUTE FUNCTION away()");
    }

    private void failInATransaction(Claim claim) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            ring.join(connection).fail(claim, claim.deliveries().get(0), "by plan");
            try (ResultSet locked = statement.executeQuery(SEGMENTS_LOCKED)) {
                assertThat(locked.next()).isFalse();
            }
            connection.commit();
        }
    }

    /** What claims in SQL go by is what the stages follow. */
    @ParameterizedTest
    @ValueSource(strings = {"ancestors", "followers"})
    void whoFollowsOthersIsNamed(String column) throws SQLException {
        Ring arms =
                database.slipring()
                        .create(RingSpec.named("arms").graph(FanOut.to("a").and("b").then("c")));
        assertThat(arms.check()).isEmpty();
        database.run("UPDATE slipring.stage SET " + column + " = '{b}' WHERE name <> 'b'");
        assertThat(arms.check())
                .hasSize(1)
                .allMatch(words -> words.contains(column + " [b] in slipring.stage"));
    }
}

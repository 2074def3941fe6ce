// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.engine.Capability;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Single-threaded histories off the usual way, whose outcome has to be the same wherever the rules
 * are written: messages that come late in graphs that have grown, claims that are rewound half
 * done, limits that are reached on the way.
 */
public interface Detours extends Promise {

    /** Fails the first message of a stage that has two to claim, and is done with the second. */
    private void failFirst(Stage stage) {
        failSome(stage, 2, 0);
    }

    /**
     * A ring with a stage that follows another both directly and by way of a third, which are done
     * with the second of two messages; the first of them has set the other aside.
     */
    private Ring byWayOfAThird() {
        Ring ring =
                slipring()
                        .create(
                                RingSpec.named("third")
                                        .graph(
                                                List.of(
                                                        stage("first"),
                                                        stage("last"),
                                                        stage("third")),
                                                Map.of(
                                                        "last",
                                                        Set.of("first", "third"),
                                                        "third",
                                                        Set.of("first"))));
        push(ring, 2);
        failFirst(ring.stage("first"));
        assertThat(takeAll(ring.stage("third"))).containsExactly("1");
        assertThat(takeAll(ring.stage("last"))).containsExactly("1");
        return ring;
    }

    /** An arm that began behind a message does not let it past the other arm. */
    @Test
    default void anArmThatBeganLateLetsNothingPastTheOther() {
        Ring ring = ring("late", stage("first"));
        push(ring, 2);
        ring.addStage(stage("late"), Set.of("first"), Start.NEWEST);
        ring.addStage(stage("early"), Set.of("first"), Start.OLDEST);
        ring.addStage(stage("last"), Set.of("late", "early"), Start.OLDEST);
        failFirst(ring.stage("first"));
        assertThat(takeAll(ring.stage("early"))).containsExactly("1");
        assertThat(takeAll(ring.stage("last"))).containsExactly("1");
        retriesComeDue();
        assertThat(takeAll(ring.stage("first"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).isEmpty();
        assertThat(takeAll(ring.stage("early"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).containsExactly("0");
        assertThat(takeAll(ring.stage("late"))).isEmpty();
    }

    /** A stage that follows another both directly and by way of a third waits for the third. */
    @Test
    default void theThirdOnTheWayIsWaitedFor() {
        Ring ring = byWayOfAThird();
        retriesComeDue();
        assertThat(takeAll(ring.stage("first"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).isEmpty();
        assertThat(takeAll(ring.stage("third"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).isEmpty();
    }

    /** The same where a stage that kept the message is removed. */
    @Test
    default void theThirdOnTheWayIsWaitedForWhereAStageLeaves() {
        Ring ring = byWayOfAThird();
        assertThat(ring.stage("first").remove()).isEqualTo(1);
        assertThat(takeAll(ring.stage("last"))).isEmpty();
        assertThat(takeAll(ring.stage("third"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).containsExactly("0");
    }

    /** A message goes by a stage that began behind it, also while nobody works on that stage. */
    @Test
    default void nobodyHasToWorkOnAStageThatBeganLate() {
        Ring ring = ring("idle", stage("first"));
        push(ring, 2);
        ring.addStage(stage("late"), Set.of("first"), Start.NEWEST);
        ring.addStage(stage("last"), Set.of("late"), Start.OLDEST);
        failFirst(ring.stage("first"));
        assertThat(takeAll(ring.stage("last"))).containsExactly("1");
        ring.stage("late").pause();
        retriesComeDue();
        assertThat(takeAll(ring.stage("first"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).containsExactly("0");
    }

    /**
     * What a stage had dropped before it left is kept from those that followed it then, and not
     * from one that joins later, behind a stage that began behind the message.
     */
    @Test
    default void whatALeaverDroppedComesToWhoJoinsLater() {
        Ring ring = ring("dropped", stage("first").tries(1));
        ring.addStage(stage("holds"), Set.of(), Start.OLDEST);
        push(ring, 2);
        ring.addStage(stage("late"), Set.of("first"), Start.NEWEST);
        ring.addStage(stage("last"), Set.of("late"), Start.OLDEST);
        failFirst(ring.stage("first"));
        assertThat(ring.stage("first").dropAllDead()).isEqualTo(1);
        ring.stage("first").remove();
        ring.addStage(stage("joins"), Set.of("late"), Start.OLDEST);
        assertThat(takeAll(ring.stage("last"))).containsExactly("1");
        assertThat(takeAll(ring.stage("joins"))).containsExactly("0", "1");
        assertThat(ring.check()).isEmpty();
    }

    /**
     * A retry that is done in a caller's transaction reaches the stages that follow, also if nobody
     * works on its own stage after that.
     */
    @Test
    default void aRetryThatIsDoneInATransactionGoesOnByItself() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("joined", stage("first").then(stage("second")));
        push(ring, 2);
        failFirst(ring.stage("first"));
        assertThat(takeAll(ring.stage("second"))).containsExactly("1");
        retriesComeDue();
        Claim retry = claim(ring.stage("first"), 1);
        assertThat(texts(retry)).containsExactly("0");
        try (Connection connection = transaction()) {
            ring.join(connection).done(retry);
            connection.commit();
        }
        assertThat(texts(ring.stage("second").claim(1, Duration.ofSeconds(20))))
                .containsExactly("0");
    }

    /** What a claim buries counts for the limit of what its stage keeps, for that claim too. */
    @Test
    default void whatAClaimBuriesCountsForIt() {
        Ring ring = ring("buries", briefStage("main").tries(1).keep(1));
        push(ring, 2);
        claim(ring.stage(), 1);
        leasesRunOut();
        Claim next = claim(ring.stage(), 1);
        assertThat(next.isEmpty()).isTrue();
        assertThat(next.reason()).contains("which is its limit");
        assertThat(ring.stage().dropAllDead()).isEqualTo(1);
        assertThat(takeAll(ring.stage())).containsExactly("1");
    }

    /** Of the claims that ran out, the one that has waited longest comes first, and all of it. */
    @Test
    default void whatHasWaitedLongestComesFirst() {
        Ring ring = ring("longest", briefStage("main"));
        push(ring, 8);
        Claim first = claim(ring.stage(), 4);
        Claim second = claim(ring.stage(), 4);
        bed().pass(slipring(), Duration.ofMillis(5));
        first.extend();
        leasesRunOut();
        assertThat(texts(claim(ring.stage(), 4))).containsExactly("4");
        assertThat(texts(claim(ring.stage(), 4))).containsExactly("5");
    }

    /** A stage that is rewound half done does not hand out again what it keeps. */
    @Test
    default void aStageThatIsRewoundHalfDoneKeepsWhatItSetAside() {
        Ring ring = ring("half", FanOut.to(stage("a").tries(1)).and(stage("holder")));
        push(ring, 3);
        Claim claim = claim(ring.stage("a"), 3);
        claim.fail(claim.deliveries().get(1), "no");
        ring.stage("a").rewind(Start.OLDEST);
        assertThat(takeAll(ring.stage("a"))).containsExactly("0", "2");
        ring.stage("a").retryAllDead();
        assertThat(takeAll(ring.stage("a"))).containsExactly("1");
    }
}

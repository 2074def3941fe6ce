// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.ManualClock;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.Graph;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The smallest form of each way in which a promise was once broken. */
class FoundBreaksTest {

    private final ManualClock clock = new ManualClock(Instant.ofEpochMilli(1_000_000));
    private final Slipring slipring = Slipring.open(Options.url("memory:").clock(clock));

    private static StageSpec stage(String name) {
        return StageSpec.named(name)
                .lease(Duration.ofMillis(100))
                .backoff(Duration.ZERO, Duration.ZERO);
    }

    private Ring ring(Graph graph, int messages) {
        Ring ring = slipring.create(RingSpec.named("ring").graph(graph));
        ring.pushAll(IntStream.range(0, messages).mapToObj(i -> Message.of("" + i)).toList());
        return ring;
    }

    private static Claim claim(Ring ring, String stage, int max) {
        return ring.stage(stage).claim(max, Duration.ZERO);
    }

    private static List<String> all(Ring ring, String stage) {
        List<String> all = new ArrayList<>();
        for (Claim c = claim(ring, stage, 99); !c.isEmpty(); c = claim(ring, stage, 99)) {
            all.addAll(c.deliveries().stream().map(Delivery::text).toList());
            c.done();
        }
        return all;
    }

    /** Claims all, fails one, and reports the rest as done. */
    private static void failOne(Ring ring, String stage, int which) {
        Claim claim = claim(ring, stage, 99);
        claim.fail(claim.deliveries().get(which), "no");
        claim.done();
    }

    /** Done also passes a position in front of the claim that is kept from the stage. */
    @Test
    void doneMovesOverWhatIsKeptInFront() {
        Ring ring = ring(stage("a").then(stage("b")), 2);
        failOne(ring, "a", 0);
        claim(ring, "b", 2);
        assertThat(ring.check()).isEmpty();
    }

    /** A retry that is done in front of a rewound stage is not seen again. */
    @Test
    void aRetryInFrontOfARewoundStageComesOnce() {
        Ring ring = ring(stage("a").ordered(), 2);
        Claim claim = claim(ring, "a", 2);
        claim.fail(claim.deliveries().get(0), "no");
        ring.stage("a").rewind(Start.OLDEST);
        assertThat(all(ring, "a")).containsExactly("0", "1");
    }

    /** What a rewound stage did in front of where it stands comes again after the next rewind. */
    @Test
    void aRewindBringsWhatWasDoneInFront() {
        Ring ring = ring(FanOut.to(stage("a")).and(stage("h")), 2);
        failOne(ring, "a", 1);
        ring.stage("a").rewind(Start.OLDEST);
        Claim retry = claim(ring, "a", 1);
        assertThat(retry.deliveries().get(0).text()).isEqualTo("1");
        retry.done();
        ring.stage("a").rewind(Start.OLDEST);
        assertThat(all(ring, "a")).containsExactly("0", "1");
        assertThat(ring.check()).isEmpty();
    }

    /** A rewind leaves a message that is set aside its time and its attempts. */
    @Test
    void whatIsSetAsideWaitsOnAfterARewind() {
        Ring ring = ring(FanOut.to(stage("a")).and(stage("h")), 1);
        Claim claim = claim(ring, "a", 1);
        claim.fail(claim.deliveries().get(0), "no", Duration.ofMinutes(1));
        ring.stage("a").rewind(Start.OLDEST);
        assertThat(all(ring, "a")).isEmpty();
        clock.advance(Duration.ofMinutes(2));
        assertThat(claim(ring, "a", 1).deliveries().get(0).attempt()).isEqualTo(2);
    }

    /** A dead letter that is dropped in front of a rewound stage is not seen again. */
    @Test
    void aDropInFrontOfARewoundStageStays() {
        Ring ring = ring(stage("a").tries(1), 2);
        Claim claim = claim(ring, "a", 2);
        claim.fail(claim.deliveries().get(1), "no");
        ring.stage("a").rewind(Start.OLDEST);
        ring.stage("a").dropAllDead();
        assertThat(all(ring, "a")).containsExactly("0");
    }

    /**
     * An ordered stage whose claim goes back does not begin with a message that reached it late.
     */
    @Test
    void aLateArrivalWaitsForWhatGoesBack() {
        Ring ring = ring(stage("a").then(stage("b").ordered()), 4);
        failOne(ring, "a", 2);
        Claim claim = claim(ring, "b", 9);
        assertThat(all(ring, "a")).containsExactly("2");
        claim.giveBack();
        assertThat(all(ring, "b")).containsExactly("0", "1", "2", "3");
    }

    /** Such a message does not count among what the stage keeps while it waits in its slot. */
    @Test
    void aLateArrivalThatWaitsInItsSlotIsNotKept() {
        Ring ring = ring(stage("a").then(stage("b").ordered().tries(1)), 4);
        failOne(ring, "a", 2);
        Claim claim = claim(ring, "b", 9);
        assertThat(all(ring, "a")).containsExactly("2");
        claim.giveBack();
        Claim again = claim(ring, "b", 1);
        again.fail(again.deliveries().get(0), "no");
        ring.stage("b").redeclare(ring.stage("b").spec().keep(1));
        int bytes = SlotCodec.encode(List.of(Message.of("0"))).length;
        assertThat(claim(ring, "b", 1).reason())
                .contains("keeps 1 messages with " + bytes + " bytes");
        assertThat(ring.check()).isEmpty();
    }

    /**
     * A message that reaches a stage after its rewind still reaches the stages behind it that have
     * passed the position.
     */
    @Test
    void aRewoundStageHandsOnWhatItNeverHad() {
        Ring ring =
                ring(FanOut.to(stage("a").then(stage("b")).then(stage("c"))).and(stage("h")), 2);
        failOne(ring, "a", 0);
        assertThat(all(ring, "b")).containsExactly("1");
        assertThat(all(ring, "c")).containsExactly("1");
        ring.stage("b").rewind(Start.OLDEST);
        assertThat(all(ring, "a")).containsExactly("0");
        assertThat(all(ring, "b")).containsExactlyInAnyOrder("0", "1");
        assertThat(all(ring, "c")).containsExactly("0");
    }

    /**
     * A stage in the middle that begins later does not let its followers overtake the stages before
     * it.
     */
    @Test
    void aStageThatBeginsLaterHidesNothing() {
        Ring ring = ring(stage("a"), 2);
        ring.addStage(stage("b"), Set.of("a"), Start.NEWEST);
        ring.addStage(stage("c"), Set.of("b"), Start.OLDEST);
        assertThat(all(ring, "c")).isEmpty();
        failOne(ring, "a", 0);
        assertThat(all(ring, "c")).containsExactly("1");
        assertThat(all(ring, "a")).containsExactly("0");
        assertThat(all(ring, "c")).containsExactly("0");
        ring.stage("b").remove();
        assertThat(ring.check()).isEmpty();
    }

    /** A dropped message does not come to an ordered stage whose claim goes back. */
    @Test
    void aDroppedMessageStaysAway() {
        Ring ring = ring(stage("a").tries(1).then(stage("b").ordered()), 3);
        failOne(ring, "a", 1);
        Claim claim = claim(ring, "b", 9);
        ring.stage("a").dropAllDead();
        claim.giveBack();
        assertThat(all(ring, "b")).containsExactly("0", "2");
    }

    /** If one arm drops a message and the other one retries it later, the join does not see it. */
    @Test
    void whatOneArmDroppedTheOtherDoesNotBring() {
        Ring ring =
                ring(FanOut.to(stage("a").tries(1)).and(stage("b").tries(2)).then(stage("c")), 2);
        failOne(ring, "a", 0);
        Claim claim = claim(ring, "b", 2);
        claim.fail(claim.deliveries().get(0), "no", Duration.ofSeconds(1));
        claim.done();
        ring.stage("a").dropAllDead();
        assertThat(all(ring, "c")).containsExactly("1");
        clock.advance(Duration.ofSeconds(2));
        assertThat(all(ring, "b")).containsExactly("0");
        assertThat(all(ring, "c")).isEmpty();
    }

    /**
     * If a stage is removed, its drops are forgotten only where no stage below could still see
     * them.
     */
    @Test
    void aDropOutlivesItsStage() {
        Ring ring = ring(stage("a").tries(1).then(stage("b")).then(stage("c")), 2);
        failOne(ring, "a", 0);
        Claim claim = claim(ring, "b", 9);
        ring.stage("a").dropAllDead();
        ring.stage("a").remove();
        claim.done();
        assertThat(all(ring, "c")).containsExactly("1");
    }

    /** A dead letter that is named twice counts once. */
    @Test
    void aDeadLetterNamedTwiceCountsOnce() {
        Ring ring = ring(stage("a").tries(1), 2);
        failOne(ring, "a", 0);
        assertThat(ring.stage("a").retryDead(List.of("0-0", "0-0"))).isEqualTo(1);
        assertThat(ring.check()).isEmpty();
    }

    /** A retry that kills its worker takes no other retry with it. */
    @Test
    void aRetryThatEndsItsWorkerDiesAlone() {
        Ring ring = ring(stage("a").tries(3), 9);
        Claim first = claim(ring, "a", 9);
        first.deliveries().forEach(delivery -> first.fail(delivery, "no", Duration.ZERO));
        for (int i = 0; i < 40; i++) {
            Claim claim = claim(ring, "a", 9);
            if (claim.deliveries().stream().noneMatch(delivery -> delivery.text().equals("4"))) {
                claim.done();
            }
            clock.advance(Duration.ofMillis(110));
        }
        assertThat(ring.stage("a").deadLetters(9)).hasSize(1);
    }

    /**
     * A message that reaches a rewound ordered stage late waits until the stage comes to its
     * position.
     */
    @Test
    void anArrivalInFrontOfARewoundStageWaits() {
        Ring ring = ring(FanOut.to(stage("a")).and(stage("h")), 4);
        failOne(ring, "a", 2);
        ring.addStage(stage("b").ordered(), Set.of("a"), Start.NEWEST);
        ring.stage("b").rewind(Start.OLDEST);
        assertThat(all(ring, "a")).containsExactly("2");
        Claim lost = claim(ring, "b", 2);
        assertThat(lost.deliveries()).hasSize(2);
        clock.advance(Duration.ofMillis(110));
        assertThat(all(ring, "b")).containsExactly("0", "1", "2", "3");
        assertThat(ring.check()).isEmpty();
    }

    /** A stage that is stalled by messages that wait ahead of it goes on until it comes to them. */
    @Test
    void aStalledStageComesToWhatItKeepsInFront() {
        Ring ring = ring(FanOut.to(stage("a")).and(stage("h")), 4);
        failOne(ring, "a", 2);
        ring.addStage(stage("b").ordered().keep(1), Set.of("a"), Start.NEWEST);
        ring.stage("b").rewind(Start.OLDEST);
        assertThat(all(ring, "a")).containsExactly("2");
        assertThat(all(ring, "b")).containsExactly("0", "1", "2", "3");
    }

    /**
     * A stage that began late and was rewound gets nothing before all stages that it follows are
     * done with it.
     */
    @Test
    void aRetryDoesNotComeBeforeTheOtherArm() {
        Ring ring = ring(FanOut.to(stage("a")).and(stage("c")), 2);
        failOne(ring, "a", 0);
        ring.addStage(stage("b"), Set.of("a", "c"), Start.NEWEST);
        ring.stage("b").rewind(Start.OLDEST);
        assertThat(all(ring, "a")).containsExactly("0");
        assertThat(all(ring, "b")).isEmpty();
        assertThat(all(ring, "c")).containsExactly("0", "1");
        assertThat(all(ring, "b")).containsExactly("0", "1");
        assertThat(ring.check()).isEmpty();
    }
}

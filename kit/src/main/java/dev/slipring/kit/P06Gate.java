// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.Graph;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Promise 6: a full ring makes push wait, time out or return at once; memory and disk stay bounded.
 */
public interface P06Gate extends Promise {

    /** A ring with room for this many messages. */
    default Ring small(int messages) {
        return slipring().create(RingSpec.named("small").messages(messages).graph(stage("main")));
    }

    /** Takes what is in a ring until a push is made. */
    private void makeRoomFor(CompletableFuture<Void> push, Ring ring) {
        Wait.until(
                "the push is made when there is room",
                () -> {
                    takeAll(ring.stage());
                    return push.isDone();
                });
        push.join();
    }

    /** A push without a time-out is refused at once. */
    @Test
    default void aFullRingRefusesAtOnce() {
        Ring ring = small(3);
        push(ring, 3);
        assertThatThrownBy(() -> ring.push(Message.of("x"), Duration.ZERO))
                .isInstanceOf(RingFull.class)
                .hasMessageContaining("small")
                .hasMessageContaining("room for 0 of 3 messages");
        Claim claim = claim(ring.stage(), 1);
        claim.done();
        ring.push(Message.of("3"), Duration.ZERO);
        assertThat(takeAll(ring.stage())).containsExactly("1", "2", "3");
    }

    /** A stage that goes back to the beginning of a slot in front of the gate leaves less room. */
    @Test
    default void whatAStageHoldsAgainIsNoRoom() {
        for (int most = 18; most < 26; most++) {
            String name = "again" + most;
            Graph main = stage("main");
            Ring ring = slipring().create(RingSpec.named(name).lanes(1).messages(most).graph(main));
            List<Message> slot = numbers(7).stream().map(Message::of).toList();
            ring.pushAll(slot);
            ring.pushAll(slot);
            claim(ring.stage(), 5).done();
            push(ring, 3);
            ring.stage().rewind(Start.OLDEST);
            long held = ring.info().heldMessages();
            assertThat(held).isEqualTo(17);
            for (; held < most; held++) {
                ring.push(Message.of("more"), Duration.ZERO);
            }
            assertThatThrownBy(() -> ring.push(Message.of("too many"), Duration.ZERO))
                    .as("with room for " + most)
                    .isInstanceOf(RingFull.class);
        }
    }

    /** A claim that is done in part keeps the rest while the ring goes once around. */
    @Test
    default void theRingGoesAroundAClaimThatIsDoneInPart() {
        Graph main = stage("main");
        Ring ring = slipring().create(RingSpec.named("round").lanes(1).messages(16).graph(main));
        List<String> all = numbers(25);
        all.subList(0, 8).forEach(ring::push);
        ring.pushAll(all.subList(8, 12).stream().map(Message::of).toList());
        Claim before = claim(ring.stage(), 4);
        Claim part = claim(ring.stage(), 8);
        // The rest begins within a slot, and the slots that the claim began with are used again.
        part.deliveries().subList(0, 5).forEach(part::done);
        before.done();
        all.subList(12, 25).forEach(ring::push);
        part.fail(part.deliveries().get(5), "no", Duration.ZERO);
        part.giveBack();
        assertThat(takeAll(ring.stage())).containsExactlyInAnyOrderElementsOf(all.subList(9, 25));
    }

    /** A push waits for its time-out, and fails then. */
    @Test
    default void aFullRingTimesOut() {
        Ring ring = small(1);
        push(ring, 1);
        long begun = System.nanoTime();
        assertThatThrownBy(() -> ring.push(Message.of("x"), Duration.ofMillis(50)))
                .isInstanceOf(RingFull.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(takeAll(ring.stage())).containsExactly("0");
    }

    /** The error names the stages that hold the gate. */
    @Test
    default void aFullRingNamesTheStagesThatHoldItsGate() {
        Graph graph = FanOut.to(stage("quick")).and(stage("slow"));
        Ring ring = slipring().create(RingSpec.named("gate").messages(2).graph(graph));
        List<Message> tooMany = numbers(3).stream().map(Message::of).toList();
        assertThatThrownBy(() -> ring.pushAll(tooMany, Duration.ZERO))
                .isInstanceOf(RingFull.class)
                .as("nobody holds the gate of an empty ring")
                .hasMessageNotContaining("holds its gate");
        push(ring, 2);
        takeAll(ring.stage("quick"));
        ring.stage("slow").pause();
        assertThatThrownBy(() -> ring.push(Message.of("x"), Duration.ZERO))
                .isInstanceOf(RingFull.class)
                .hasMessageContaining("stage 'slow' holds its gate (paused)")
                .hasMessageNotContaining("quick");
    }

    /** A push waits until there is room. */
    @Test
    default void aFullRingIsWaitedFor() {
        Ring ring = small(2);
        push(ring, 2);
        CompletableFuture<Void> push =
                CompletableFuture.runAsync(() -> ring.push(Message.of("2"), Options.FOREVER));
        makeRoomFor(push, ring);
        assertThat(ring.info().pushed()).isEqualTo(3);
    }

    /** A push that waits for room goes on waiting if the store cannot say how large the ring is. */
    @Test
    default void aFullRingIsWaitedForWhenItsStoreFails() {
        AtomicInteger failures = new AtomicInteger();
        Ring ring = small(1);
        Ring seen = behind(LostCalls.of("shape", failures)).ring(ring.name());
        seen.push("0");
        failures.set(3);
        CompletableFuture<Void> push = seen.pushAsync(Message.of("1")).toCompletableFuture();
        Wait.until("the ring's size is asked for again and again", () -> failures.get() == 0);
        makeRoomFor(push, ring);
        assertThat(ring.info().pushed()).isEqualTo(2);
    }

    /** Asynchronous pushes learn of a full ring too. */
    @Test
    default void asynchronousPushesLearnOfAFullRing() {
        Ring ring = small(2);
        push(ring, 2);
        CompletableFuture<Void> third =
                ring.pushAsync(Message.of("2"), Duration.ofMillis(20)).toCompletableFuture();
        assertThatThrownBy(third::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RingFull.class);
    }

    /** A batch is pushed as a whole: one that does not fit is not begun. */
    @Test
    default void aBatchThatDoesNotFitIsNotBegun() {
        Ring ring = small(5);
        push(ring, 3);
        assertThatThrownBy(
                        () ->
                                ring.pushAll(
                                        List.of(Message.of("a"), Message.of("b"), Message.of("c")),
                                        Duration.ZERO))
                .isInstanceOf(RingFull.class);
        assertThatThrownBy(
                        () ->
                                ring.pushAll(
                                        numbers(6).stream().map(Message::of).toList(),
                                        Options.FOREVER))
                .as("what can never fit is refused although it would wait")
                .isInstanceOf(RingFull.class)
                .hasMessageContaining("is too small for this push");
        assertThat(ring.info().pushed()).isEqualTo(3);
    }

    /** Bytes fill a ring as well as messages. */
    @Test
    default void bytesFillARing() {
        Ring ring = slipring().create(RingSpec.named("bytes").bytes(10_000).graph(stage("main")));
        ring.push(Message.of(new byte[6_000]));
        assertThatThrownBy(() -> ring.push(Message.of(new byte[6_000]), Duration.ZERO))
                .isInstanceOf(RingFull.class);
        ring.push(Message.of(new byte[1_000]), Duration.ZERO);
        takeAll(ring.stage());
        ring.push(Message.of(new byte[6_000]), Duration.ZERO);
        assertThatThrownBy(() -> ring.push(Message.of(new byte[20_000]), Options.FOREVER))
                .isInstanceOf(RingFull.class);
    }

    /** The slowest leaf holds the gate. */
    @Test
    default void theSlowestLeafHoldsTheGate() {
        Ring ring =
                slipring()
                        .create(
                                RingSpec.named("leaf")
                                        .messages(4)
                                        .graph(FanOut.to(stage("fast")).and(stage("slow"))));
        push(ring, 4);
        takeAll(ring.stage("fast"));
        assertThat(ring.info().gate()).containsExactly("slow");
        assertThatThrownBy(() -> ring.push(Message.of("x"), Duration.ZERO))
                .isInstanceOf(RingFull.class);
        claim(ring.stage("slow"), 1).done();
        ring.push(Message.of("x"), Duration.ZERO);
    }

    /** Each lane has a gate of its own, which another stage may hold. */
    @Test
    default void whoHoldsTheGateOfAnyLaneIsNamed() {
        Ring ring =
                slipring()
                        .create(
                                RingSpec.named("gates")
                                        .lanes(2)
                                        .graph(FanOut.to(stage("one")).and(stage("other"))));
        ring.push(to(1, 2, "x"));
        takeAll(ring.stage("one"));
        ring.pushAll(List.of(to(0, 2, "y"), to(0, 2, "z")));
        Claim first = claim(ring.stage("other"), 2);
        Claim second = claim(ring.stage("other"), 2);
        (first.lane() == 0 ? first : second).done();
        assertThat(ring.info().gate()).containsExactly("one", "other");
    }

    /** A ring goes round many times in a bounded store. */
    @Test
    default void aRingGoesRoundManyTimes() {
        Ring ring = slipring().create(RingSpec.named("laps").messages(200).graph(stage("main")));
        for (int lap = 0; lap < 30; lap++) {
            push(ring, 200);
            assertThat(takeAll(ring.stage())).containsExactlyElementsOf(numbers(200));
        }
        assertThat(ring.info().heldBytes()).isZero();
    }

    /**
     * What is set aside or dead has a limit, at which its stage hands out nothing new and says why.
     */
    @Test
    default void whatIsKeptHasALimit() {
        Ring ring = ring("keep", stage("main").tries(1).keep(2));
        push(ring, 6);
        Claim claim = claim(ring.stage(), 2);
        claim.deliveries().forEach(delivery -> claim.fail(delivery, "no"));
        Claim none = claim(ring.stage(), 2);
        assertThat(none.isEmpty()).isTrue();
        assertThat(none.reason()).contains("2 messages").contains("limit");
        assertThat(ring.info().stages().get(0).stalled()).contains("limit");
        ring.stage().dropAllDead();
        assertThat(takeAll(ring.stage())).containsExactly("2", "3", "4", "5");
    }

    /** A message that is kept no more makes room for others that fail. */
    @Test
    default void whatIsDroppedOrDoneIsKeptNoMore() {
        RingSpec spec = RingSpec.named("kept").bytes(10_000);
        Ring ring = slipring().create(spec.graph(stage("main").tries(1)));
        for (int i = 0; i < 3; i++) {
            failLarge(ring);
            assertThat(ring.stage().dropAllDead()).isEqualTo(1);
        }
        for (int i = 0; i < 3; i++) {
            failLarge(ring);
            ring.stage().retryAllDead();
            assertThat(takeAll(ring.stage())).hasSize(1);
        }
        failLarge(ring);
        failLarge(ring);
        ring.push("next");
        assertThat(claim(ring.stage(), 1).reason()).contains("which is its limit");
    }

    private void failLarge(Ring ring) {
        ring.push("x".repeat(6_000));
        Claim claim = claim(ring.stage(), 1);
        assertThat(claim.deliveries()).as(claim.reason()).hasSize(1);
        claim.fail(claim.deliveries().get(0), "no");
    }

    /** Resizing makes room. */
    @Test
    default void resizingMakesRoom() {
        Ring ring = small(2);
        push(ring, 2);
        ring.resize(3, RingSpec.DEFAULT_BYTES);
        ring.push(Message.of("2"), Duration.ZERO);
        ring.resize(1, RingSpec.DEFAULT_BYTES);
        assertThatThrownBy(() -> ring.push(Message.of("x"), Duration.ZERO))
                .isInstanceOf(RingFull.class);
        assertThat(takeAll(ring.stage())).containsExactly("0", "1", "2");
    }
}

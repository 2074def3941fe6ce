// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Promise 1: when push returns the message survives, and a push whose outcome is unknown is never
 * made twice.
 */
public interface P01Durable extends Promise {

    /** What was pushed survives kill -9 of the process that pushed it. */
    @Test
    default void pushesSurviveTheirProcess() throws Exception {
        needs(Capability.DURABLE);
        needs(Capability.SHARED);
        Ring ring = ring("killed");
        List<String> said = PushingProcess.runAndKill(bed().url(), "killed", 100);
        List<String> found = takeAll(ring.stage());
        assertThat(said).hasSizeGreaterThanOrEqualTo(100);
        assertThat(found).containsAll(said).doesNotHaveDuplicates();
    }

    /** A process that died may be followed by another at any point. */
    @Test
    default void aRestartAtEveryPoint() {
        needs(Capability.DURABLE);
        ring("restart", briefStage("a").tries(2).then(briefStage("b")));
        Ring ring = reopen();
        push(ring, 6);
        // Opened before the claims: on a slow machine it takes a good part of a lease.
        List<Ring> opened = List.of(reopen(), reopen(), reopen());
        Claim lost = claim(opened.get(0).stage("a"), 2);
        Claim kept = claim(opened.get(1).stage("a"), 3);
        kept.done(kept.deliveries().get(0));
        Duration later = bed().lease(slipring()).plusSeconds(1);
        kept.fail(kept.deliveries().get(1), "no", later);
        assertThat(texts(claim(opened.get(2).stage("a"), 9))).containsExactly("5");
        leasesRunOut();
        ring = reopen();
        Claim first = claim(ring.stage("a"), 9);
        assertThat(first.deliveries().get(0).attempt()).isEqualTo(2);
        assertThat(refused(lost)).isTrue();
        first.giveBack();
        bed().pass(slipring(), Duration.ofSeconds(1));
        takeAll(reopen().stage("a"));
        assertThat(takeAll(reopen().stage("b"))).containsExactlyInAnyOrderElementsOf(numbers(6));
        assertThat(reopen().info().heldMessages()).isZero();
    }

    private boolean refused(Claim claim) {
        try {
            claim.done();
            return false;
        } catch (Fenced e) {
            return true;
        }
    }

    private Ring reopen() {
        return bed().open().ring("restart");
    }

    /** Code that is told that a push is durable may push again, and nothing comes twice. */
    @Test
    default void whoIsToldOfAPushMayPushAgain() {
        Ring ring = ring("told");
        List<CompletableFuture<Void>> pushes = new ArrayList<>();
        List<String> pushed = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String text = "push " + i;
            pushed.add(text);
            pushed.add("behind " + text);
            pushes.add(
                    ring.pushAsync(Message.of(text))
                            .thenRun(() -> ring.push("behind " + text))
                            .toCompletableFuture());
        }
        pushes.forEach(CompletableFuture::join);
        assertThat(takeAll(ring.stage())).containsExactlyInAnyOrderElementsOf(pushed);
    }

    /** A store can be closed although code that is told of a push goes on pushing there. */
    @Test
    default void aRingIsClosedWhileSomebodyIsTold() throws Exception {
        CompletableFuture<Void> told;
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        try (Slipring other = bed().open()) {
            Ring ring = other.create(RingSpec.named("closed").graph(stage("main")));
            Thread own = Thread.currentThread();
            Runnable elsewhere =
                    () -> {
                        if (Thread.currentThread() != own) {
                            telling.countDown();
                            Wait.until("closing", () -> closing.getCount() == 0);
                            while (!Thread.currentThread().isInterrupted()) {
                                // Refused as soon as it is closed.
                                ring.pushAsync(Message.of("y"));
                            }
                        }
                    };
            do {
                // If the push is durable before thenRun is called, this thread is told: then try
                // another push.
                told = ring.pushAsync(Message.of("x")).thenRun(elsewhere).toCompletableFuture();
            } while (told.isDone());
            assertThat(telling.await(20, TimeUnit.SECONDS)).isTrue();
            CompletableFuture.runAsync(closing::countDown);
        }
        assertThat(told).failsWithin(Duration.ofSeconds(20));
    }

    /** A push whose outcome is unknown is looked up in the store: every message is in once. */
    @Test
    default void unknownOutcomesAreSettled() {
        Ring ring = ring("unknown");
        Slipring flaky = behind(LostCalls.ofPushes());
        for (int i = 0; i < 30; i++) {
            flaky.ring("unknown").push("" + i);
        }
        assertThat(takeAll(ring.stage())).containsExactlyElementsOf(numbers(30));
    }

    /**
     * What a producer pushes under one number is pushed once, also if it has left the ring since.
     */
    @Test
    default void aNumberIsPushedOnce() {
        Ring ring = ring("number");
        List<Slot> slots =
                List.of(new Slot(0, 77, 1, 1, SlotCodec.encode(List.of(Message.of("x")))));
        slipring().store().push("number", slots);
        assertThat(takeAll(ring.stage())).hasSize(1);
        slipring().store().push("number", slots);
        assertThat(takeAll(ring.stage())).isEmpty();
        assertThat(slipring().store().pushed("number", 77)).isEqualTo(1);
        assertThat(slipring().store().pushed("number", 78)).isZero();
    }

    /** Closing the store first writes the pushes that it has taken. */
    @Test
    default void closingWritesWhatWasTaken() {
        needs(Capability.SHARED);
        Ring ring = ring("closing");
        List<Object> pushes = new ArrayList<>();
        try (Slipring other = bed().open()) {
            numbers(500).forEach(i -> pushes.add(other.ring("closing").pushAsync(Message.of(i))));
        }
        assertThat(takeAll(ring.stage())).containsExactlyElementsOf(numbers(500));
    }
}

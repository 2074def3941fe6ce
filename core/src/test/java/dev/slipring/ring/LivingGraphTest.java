// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipring.graph.Graph;
import dev.slipring.graph.NoSuchStage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;

/** Stages join and leave while the threads of a ring are at work. */
@Timeout(60)
class LivingGraphTest {

    private static final class Slot {
        long value;
    }

    private final CountDownLatch inHand = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private static ThreadRingBuilder<Slot> ring() {
        return ThreadRing.of(Slot::new, 16);
    }

    /** Pushes the numbers from one on. */
    private static void push(ThreadRing<Slot> ring, long count) throws InterruptedException {
        for (long value = 1; value <= count; value++) {
            long now = value;
            ring.push(slot -> slot.value = now);
        }
    }

    /** Has a slot in hand until the test lets it go. */
    private void hold() throws InterruptedException {
        inHand.countDown();
        go.await();
    }

    /** Has a stage leave on a thread, which waits for the stage's handler when this returns. */
    private static FutureTask<Boolean> leaving(ThreadRing<Slot> ring, String stage) {
        return waiting(() -> leave(ring, stage));
    }

    /** Has the stage that audits leave while it has a slot in hand, which it is done with then. */
    private void leaveWithASlotInHand(ThreadRing<Slot> ring) throws Exception {
        push(ring, 1);
        inHand.await();
        FutureTask<Boolean> leaving = leaving(ring, "audit");
        go.countDown();
        leaving.get();
    }

    private static FutureTask<Boolean> waiting(Callable<Boolean> leaves) {
        FutureTask<Boolean> leaving = new FutureTask<>(leaves);
        Thread thread = new Thread(leaving);
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return leaving;
    }

    /** Whether the thread is interrupted when the stage has left. */
    private static boolean leave(ThreadRing<Slot> ring, String stage) {
        ring.leave(stage);
        return Thread.interrupted();
    }

    @Test
    void aStageJoinsAndLeavesWhileTheRingRuns() throws Exception {
        AtomicLong all = new AtomicLong();
        AtomicLong some = new AtomicLong();
        ThreadRing<Slot> ring = ring().work("main", slot -> all.addAndGet(slot.value)).open();
        push(ring, 100);
        ring.join("audit", "main", 2, slot -> some.addAndGet(slot.value));
        push(ring, 100);
        while (some.get() < 5050) {
            Thread.onSpinWait();
        }
        ring.leave("audit");
        long then = some.get();
        push(ring, 100);
        ring.close();
        assertThat(all.get()).isEqualTo(3 * 5050);
        assertThat(some.get()).isEqualTo(then);
        assertThatThrownBy(() -> ring.leave("main")).hasMessageContaining("'main' is the only");
        assertThatThrownBy(() -> ring.leave("none")).hasMessageContaining("no stage 'none'");
    }

    @Test
    void aStageThatWasThereFromTheBeginningLeavesToo() throws Exception {
        AtomicLong first = new AtomicLong();
        AtomicLong last = new AtomicLong();
        ThreadRing<Slot> ring =
                ring().graph(Graph.of("first").then("gone").then("last"))
                        .work("first", slot -> first.addAndGet(slot.value))
                        .work("gone", 2, slot -> {})
                        .work("last", slot -> last.addAndGet(slot.value))
                        .open();
        push(ring, 100);
        ring.leave("gone");
        push(ring, 100);
        ring.leave("last");
        long then = last.get();
        push(ring, 100);
        ring.close();
        assertThat(first.get()).isEqualTo(3 * 5050);
        assertThat(last.get()).isEqualTo(then);
    }

    @Test
    void whoJoinsMayTakeBatchesAndSkipWhatFails() throws Exception {
        AtomicLong some = new AtomicLong();
        ThreadRing<Slot> ring = ring().work("main", slot -> {}).open();
        ring.join(
                "odd",
                "main",
                1,
                slot -> {
                    if (slot.value % 2 == 0) {
                        throw new IllegalStateException("even");
                    }
                    some.addAndGet(slot.value);
                },
                OnFailure.skip((slot, e) -> {}));
        AtomicLong all = new AtomicLong();
        ring.joinBatches(
                "all",
                null,
                1,
                slots -> slots.forEach(slot -> all.addAndGet(slot.value)),
                OnFailure.stop());
        push(ring, 100);
        ring.close();
        assertThat(some.get()).isEqualTo(2500);
        assertThat(all.get()).isEqualTo(5050);
    }

    @Test
    void oneOfTwoThatLeaveAtOneTimeStays() throws Exception {
        AtomicLong last = new AtomicLong();
        ThreadRing<Slot> ring =
                ring().graph(Graph.of("first").then("last"))
                        .work("first", slot -> hold())
                        .work("last", slot -> last.addAndGet(slot.value))
                        .open();
        push(ring, 1);
        inHand.await();
        FutureTask<Boolean> leaving = leaving(ring, "first");
        assertThatThrownBy(() -> ring.leave("last")).hasMessageContaining("is the only stage");
        go.countDown();
        leaving.get();
        push(ring, 100);
        ring.close();
        assertThat(last.get()).isEqualTo(1 + 5050);
    }

    @Test
    void whoIsInterruptedWaitsUntilTheStageHasLeft() throws Exception {
        ThreadRing<Slot> ring = ring().work("main", slot -> {}).open();
        ring.join("audit", "main", 1, slot -> hold());
        push(ring, 1);
        inHand.await();
        FutureTask<Boolean> leaving =
                waiting(
                        () -> {
                            Thread.currentThread().interrupt();
                            return leave(ring, "audit");
                        });
        go.countDown();
        assertThat(leaving.get()).isTrue();
        push(ring, 1_000);
        ring.close();
    }

    @Test
    void aStageThatFailsWhileItLeavesStopsTheRing() throws Exception {
        ThreadRing<Slot> ring = ring().work("main", slot -> {}).open();
        ring.join(
                "audit",
                "main",
                1,
                slot -> {
                    hold();
                    throw new IOException("disk");
                });
        leaveWithASlotInHand(ring);
        assertThat(ring.failure()).hasMessage("disk");
        assertThatThrownBy(ring::close).hasRootCauseMessage("disk");
    }

    /** Who waits until its stage has left, and who follows it, wait for what it has in hand. */
    @Test
    void aHandlerOfAStageThatLeavesClosesTheRing() throws Exception {
        ThreadRing<Slot> ring = ring().work("main", slot -> {}).open();
        ring.join(
                "audit",
                "main",
                1,
                slot -> {
                    hold();
                    ring.close();
                });
        ring.join("behind", "audit", 1, slot -> {});
        leaveWithASlotInHand(ring);
        ring.close();
        assertThat(ring.failure()).isNull();
    }

    @Test
    void aHandlerCannotWaitUntilItsOwnStageHasLeft() throws Exception {
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        ThreadRing<Slot> ring = ring().work("main", slot -> {}).open();
        ring.join("audit", "main", 1, slot -> refused.complete(refusal(ring, "audit")));
        push(ring, 1);
        assertThat(refused.get()).hasMessageContaining("a handler of this ring cannot");
        ring.leave("audit");
        push(ring, 1_000);
        ring.close();
    }

    /** Two that did so for each other's stage would wait for ever. */
    @Test
    void aHandlerCannotWaitUntilAnotherStageHasLeft() throws Exception {
        CompletableFuture<ThreadRing<Slot>> opened = new CompletableFuture<>();
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        ThreadRing<Slot> ring =
                ring().graph(Graph.of("first").then("second"))
                        .work("first", slot -> refused.complete(refusal(opened.get(), "second")))
                        .work("second", slot -> {})
                        .open();
        opened.complete(ring);
        push(ring, 1);
        assertThat(refused.get()).hasMessageContaining("until stage 'second' has left");
        ring.leave("second");
        assertThatThrownBy(() -> ring.leave("second"))
                .isInstanceOf(NoSuchStage.class)
                .hasMessage("no stage 'second'; the stages are first");
        ring.close();
    }

    private static Throwable refusal(ThreadRing<Slot> ring, String stage) {
        return catchThrowableOfType(IllegalStateException.class, () -> ring.leave(stage));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.graph.FanOut;
import dev.slipring.graph.Graph;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Handlers on threads: the graph's order, the end, and what becomes of failures. */
@Timeout(60)
class ThreadRingTest {

    private static final class Slot {
        long value;
        long located;
        long graded;
    }

    private static ThreadRingBuilder<Slot> ring() {
        return ThreadRing.of(Slot::new, 16);
    }

    private static void push(ThreadRing<Slot> ring, long from, long to)
            throws InterruptedException {
        for (long value = from; value <= to; value++) {
            long now = value;
            ring.push(slot -> slot.value = now);
        }
    }

    @Test
    void stagesFollowAsTheGraphSays() throws Exception {
        AtomicLong sum = new AtomicLong();
        AtomicInteger wrong = new AtomicInteger();
        ThreadRing<Slot> ring =
                ring().graph(FanOut.to("locate").and("grade").then("alert"))
                        .work("locate", slot -> slot.located = slot.value)
                        .work("grade", 3, slot -> slot.graded = slot.value)
                        .workBatches(
                                "alert",
                                1,
                                slots ->
                                        slots.forEach(
                                                slot -> {
                                                    sum.addAndGet(slot.value);
                                                    if (slot.located != slot.value
                                                            || slot.graded != slot.value) {
                                                        wrong.incrementAndGet();
                                                    }
                                                }),
                                OnFailure.stop())
                        .open();
        push(ring, 1, 10_000);
        ring.close();
        assertThat(sum.get()).isEqualTo(10_000L * 10_001 / 2);
        assertThat(wrong.get()).isZero();
        assertThatThrownBy(() -> ring.push(slot -> {})).hasMessage("the ring is closed");
    }

    @Test
    void manyProducersAndTheDefaultStage() throws Exception {
        AtomicLong sum = new AtomicLong();
        ThreadRing<Slot> ring = ring().work("main", 2, slot -> sum.addAndGet(slot.value)).open();
        Thread[] producers = new Thread[3];
        for (int i = 0; i < producers.length; i++) {
            producers[i] =
                    new Thread(
                            () -> {
                                try {
                                    push(ring, 1, 1_000);
                                } catch (InterruptedException e) {
                                    throw new AssertionError(e);
                                }
                            });
            producers[i].start();
        }
        for (Thread producer : producers) {
            producer.join();
        }
        ring.close();
        assertThat(sum.get()).isEqualTo(3 * 500_500);
    }

    @Test
    void aFailureStopsTheRingAndEverybodyLearnsIt() throws Exception {
        ThreadRing<Slot> ring =
                ring().graph(Graph.of("first").then("second"))
                        .work("first", slot -> {})
                        .work(
                                "second",
                                slot -> {
                                    throw new IOException("disk");
                                })
                        .open();
        assertThatThrownBy(() -> push(ring, 1, 1_000))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a handler failed")
                .hasRootCauseMessage("disk");
        assertThatThrownBy(ring::close).hasRootCauseMessage("disk");
    }

    @Test
    void anErrorStopsTheRingWhateverThePolicy() throws Exception {
        ThreadRing<Slot> ring =
                ring().work(
                                "main",
                                1,
                                slot -> {
                                    throw new AssertionError("broken");
                                },
                                OnFailure.skip((slot, error) -> {}))
                        .open();
        assertThatThrownBy(() -> push(ring, 1, 1_000)).hasRootCauseMessage("broken");
    }

    @Test
    void aFailureIsSkippedAndTold() throws Exception {
        List<Long> dead = new CopyOnWriteArrayList<>();
        AtomicLong sum = new AtomicLong();
        ThreadRing<Slot> ring =
                ring().work(
                                "main",
                                1,
                                slot -> {
                                    if (slot.value % 10 == 0) {
                                        throw new IOException("ten");
                                    }
                                    sum.addAndGet(slot.value);
                                },
                                OnFailure.skip((slot, error) -> dead.add(slot.value)))
                        .open();
        push(ring, 1, 30);
        ring.close();
        assertThat(dead).containsExactly(10L, 20L, 30L);
        assertThat(sum.get()).isEqualTo(465 - 60);
    }

    @Test
    void aFailureIsTriedAgainAndThenHandedOver() throws Exception {
        List<Long> dead = new CopyOnWriteArrayList<>();
        AtomicInteger calls = new AtomicInteger();
        ThreadRing<Slot> ring =
                ring().work(
                                "main",
                                1,
                                slot -> {
                                    calls.incrementAndGet();
                                    if (slot.value == 5) {
                                        throw new IOException("five");
                                    }
                                },
                                OnFailure.retry(
                                        3, OnFailure.skip((slot, error) -> dead.add(slot.value))))
                        .open();
        push(ring, 1, 8);
        ring.close();
        assertThat(dead).containsExactly(5L);
        assertThat(calls.get()).isEqualTo(8 + 2);
    }

    @Test
    void aBatchIsTriedAgainWhole() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        AtomicLong sum = new AtomicLong();
        ThreadRing<Slot> ring =
                ring().workBatches(
                                "main",
                                1,
                                slots -> {
                                    if (failures.incrementAndGet() <= 2) {
                                        throw new IOException("deadlock");
                                    }
                                    slots.forEach(slot -> sum.addAndGet(slot.value));
                                },
                                OnFailure.retry(5, OnFailure.stop()))
                        .open();
        push(ring, 1, 100);
        ring.close();
        assertThat(sum.get()).isEqualTo(5050);
    }

    @Test
    void aSlotWhoseProducerFailedIsSeenByNobody() throws Exception {
        List<Long> seen = new CopyOnWriteArrayList<>();
        ThreadRing<Slot> ring = ring().work("main", slot -> seen.add(slot.value)).open();
        push(ring, 1, 1);
        assertThatThrownBy(
                        () ->
                                ring.push(
                                        slot -> {
                                            slot.value = 99;
                                            throw new IllegalArgumentException("bad");
                                        }))
                .hasMessage("bad");
        push(ring, 2, 40);
        ring.close();
        assertThat(seen).hasSize(40).doesNotContain(99L);
    }

    @Test
    void pushWaitsNoLongerThanItIsTold() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        ThreadRing<Slot> ring = ring().oneProducer().work("main", slot -> go.await()).open();
        push(ring, 1, 16);
        assertThat(ring.push(slot -> {}, Duration.ofMillis(5))).isFalse();
        go.countDown();
        assertThat(ring.push(slot -> {}, Duration.ofSeconds(30))).isTrue();
        ring.close();
    }

    @Test
    void aStageJoinsAndLeavesWhileTheRingRuns() throws Exception {
        AtomicLong all = new AtomicLong();
        AtomicLong some = new AtomicLong();
        ThreadRing<Slot> ring = ring().work("main", slot -> all.addAndGet(slot.value)).open();
        push(ring, 1, 100);
        ring.join("audit", "main", 2, slot -> some.addAndGet(slot.value));
        push(ring, 1, 100);
        while (some.get() < 5050) {
            Thread.onSpinWait();
        }
        ring.leave("audit");
        long then = some.get();
        push(ring, 1, 100);
        ring.close();
        assertThat(all.get()).isEqualTo(3 * 5050);
        assertThat(some.get()).isEqualTo(then);
        assertThatThrownBy(() -> ring.leave("main")).hasMessageContaining("'main' is the only");
        assertThatThrownBy(() -> ring.leave("none")).hasMessageContaining("no stage 'none'");
    }

    @Test
    void whoIsInterruptedWaitsUntilTheStageHasLeft() throws Exception {
        CountDownLatch inHand = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        ThreadRing<Slot> ring = ring().work("main", slot -> {}).open();
        ring.join(
                "audit",
                "main",
                1,
                slot -> {
                    inHand.countDown();
                    go.await();
                });
        push(ring, 1, 1);
        inHand.await();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread leaving =
                new Thread(
                        () -> {
                            Thread.currentThread().interrupt();
                            ring.leave("audit");
                            interrupted.set(Thread.interrupted());
                        });
        leaving.start();
        while (leaving.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        go.countDown();
        leaving.join();
        assertThat(interrupted).isTrue();
        push(ring, 1, 1_000);
        ring.close();
    }

    @Test
    void aHandlerCannotWaitUntilItsOwnStageHasLeft() throws Exception {
        AtomicReference<Exception> refused = new AtomicReference<>();
        CountDownLatch asked = new CountDownLatch(1);
        ThreadRing<Slot> ring = ring().work("main", slot -> {}).open();
        ring.join(
                "audit",
                "main",
                1,
                slot -> {
                    try {
                        ring.leave("audit");
                    } catch (IllegalStateException e) {
                        refused.set(e);
                    }
                    asked.countDown();
                });
        push(ring, 1, 1);
        asked.await();
        assertThat(refused.get()).hasMessageContaining("a handler of this ring cannot");
        ring.leave("audit");
        push(ring, 1, 1_000);
        ring.close();
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
        push(ring, 1, 100);
        ring.leave("gone");
        push(ring, 1, 100);
        ring.leave("last");
        long then = last.get();
        push(ring, 1, 100);
        ring.close();
        assertThat(first.get()).isEqualTo(3 * 5050);
        assertThat(last.get()).isEqualTo(then);
    }

    @Test
    void oneOfTwoThatLeaveAtOneTimeStays() throws Exception {
        CountDownLatch inHand = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicLong last = new AtomicLong();
        ThreadRing<Slot> ring =
                ring().graph(Graph.of("first").then("last"))
                        .work(
                                "first",
                                slot -> {
                                    inHand.countDown();
                                    go.await();
                                })
                        .work("last", slot -> last.addAndGet(slot.value))
                        .open();
        push(ring, 1, 1);
        inHand.await();
        AtomicReference<Exception> broken = new AtomicReference<>();
        Thread leaving =
                new Thread(
                        () -> {
                            try {
                                ring.leave("first");
                            } catch (Exception e) {
                                broken.set(e);
                            }
                        });
        leaving.start();
        while (leaving.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(() -> ring.leave("last")).hasMessageContaining("is the only stage");
        go.countDown();
        leaving.join();
        push(ring, 2, 100);
        ring.close();
        assertThat(broken.get()).isNull();
        assertThat(last.get()).isEqualTo(5050);
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
        push(ring, 1, 100);
        ring.close();
        assertThat(some.get()).isEqualTo(2500);
        assertThat(all.get()).isEqualTo(5050);
    }

    @Test
    void aStageWithoutHandlerOrAHandlerWithoutStageIsRefused() {
        assertThatThrownBy(() -> ring().open()).hasMessageContaining("'main' has no handler");
        assertThatThrownBy(() -> ring().work("mian", slot -> {}).open())
                .hasMessageContaining("no stage 'mian'");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.graph.FanOut;
import dev.slipring.graph.Graph;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

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
    void aStageWithoutHandlerOrAHandlerWithoutStageIsRefused() {
        assertThatThrownBy(() -> ring().open()).hasMessageContaining("'main' has no handler");
        assertThatThrownBy(() -> ring().work("mian", slot -> {}).open())
                .hasMessageContaining("no stage 'mian'");
    }

    /** Of its stages, of one that joins, and of who pushes. */
    @Test
    void threadsWaitAsTheRingIsTold() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        BlockingQueue<Thread> found = new LinkedBlockingQueue<>();
        ThreadRing<Slot> ring =
                ring().waiting(Waiting.YIELD)
                        .work("main", slot -> found.add(Thread.currentThread()))
                        .open();
        ring.join("late", "main", 1, slot -> found.add(Thread.currentThread()));
        ring.join("slow", null, 1, slot -> go.await());
        Thread producer =
                new Thread(
                        () -> {
                            try {
                                push(ring, 1, 17);
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        producer.start();
        Set<Thread> waiting = new HashSet<>(Set.of(producer));
        for (int i = 0; i < 2 * 16; i++) {
            waiting.add(found.take());
        }
        try {
            assertThat(waiting).hasSize(3);
            for (int i = 0; i < 300; i++) {
                assertThat(waiting)
                        .extracting(Thread::getState)
                        .doesNotContain(State.WAITING, State.TIMED_WAITING);
                Thread.sleep(1);
            }
        } finally {
            go.countDown();
        }
        producer.join();
        ring.close();
    }

    /** Others would wait for ever for what a stage without threads never takes. */
    @Test
    void aStageThatCannotStartStopsTheRing() throws Exception {
        ThreadRing<Slot> ring = ring().work("main", slot -> {}).open();
        assertThatThrownBy(() -> ring.start("broken", new SCSequence(), null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> push(ring, 1, 1)).hasCauseInstanceOf(NullPointerException.class);
        assertThatThrownBy(ring::close).hasCauseInstanceOf(NullPointerException.class);
    }
}

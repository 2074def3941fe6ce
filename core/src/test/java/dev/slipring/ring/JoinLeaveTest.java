// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;

/** Stages and chains of every kind come into a running graph, see all from there on, and go. */
@Timeout(60)
class JoinLeaveTest {

    private static final int CAPACITY = 8;

    private static void push(Sequence producer, int times) {
        for (int i = 0; i < times; i++) {
            long cursor = producer.next();
            assertThat(cursor).isGreaterThanOrEqualTo(0);
            producer.done(cursor);
        }
    }

    private static int pull(Sequence consumer) {
        int pulled = 0;
        long cursor;
        while ((cursor = consumer.next()) >= 0) {
            consumer.done(cursor);
            pulled++;
        }
        return pulled;
    }

    @Test
    void aSharedSequenceJoinsAndGatesFromThereOn() {
        Sequence a = new MPSequence(CAPACITY);
        FanOut fanOut = new FanOut();
        a.then(fanOut).then(a);
        push(a, 21);
        Sequence b = fanOut.addAndGet(new MCSequence(CAPACITY));
        for (int lap = 0; lap < 4; lap++) {
            push(a, CAPACITY);
            assertThat(a.next()).isEqualTo(Sequence.NONE);
            assertThat(pull(b)).isEqualTo(CAPACITY);
        }
        assertThat(b.current()).isEqualTo(21 + 4 * CAPACITY - 1);
    }

    @Test
    void whoJoinsIsBehindProducersThatStillWrite() {
        Sequence a = new MPSequence(CAPACITY);
        FanOut fanOut = new FanOut();
        a.then(fanOut).then(a);
        push(a, 3);
        long slow = a.next();
        push(a, 2);
        Sequence b = fanOut.addAndGet(new SCSequence());
        assertThat(b.current()).isEqualTo(slow - 1);
        while (a.next() >= 0) {
            assertThat(a.current()).isLessThan(slow + CAPACITY);
        }
        assertThat(b.next()).isEqualTo(Sequence.NONE);
        a.done(slow);
        assertThat(b.next()).isEqualTo(slow);
    }

    @Test
    void aWholeChainJoinsAndLeaves() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        FanOut fanOut = FanOut.to(b);
        a.then(fanOut).then(a);
        push(a, 5);
        pull(b);
        Sequence d = new SCSequence();
        Sequence e = new MCSequence(CAPACITY);
        fanOut.and(d.then(e));
        push(a, CAPACITY);
        pull(b);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        assertThat(e.next()).isEqualTo(Sequence.NONE);
        assertThat(d.next()).isEqualTo(5);
        assertThat(pull(d)).isEqualTo(CAPACITY);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(e)).isEqualTo(CAPACITY);
        push(a, 1);
        fanOut.remove(e);
        assertThat(d.next()).isEqualTo(Sequence.CLOSED);
        assertThat(e.next()).isEqualTo(Sequence.CLOSED);
        pull(b);
        push(a, CAPACITY);
        // What left may come again.
        fanOut.and(e);
        assertThat(d.next()).isEqualTo(Sequence.NONE);
        pull(b);
        push(a, 1);
        assertThat(pull(d)).isEqualTo(1);
        assertThat(pull(e)).isEqualTo(1);
    }

    @Test
    void aStageJoinsWhereThereIsNoFanOut() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        Sequence c = new SCSequence();
        a.then(b).then(c).then(a);
        push(a, 3);
        pull(b);
        pull(c);
        Sequence late = new SCSequence();
        Sequence later = new SCSequence();
        a.join(b, late);
        a.join(late, later);
        push(a, CAPACITY);
        assertThat(late.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(b)).isEqualTo(CAPACITY);
        pull(c);
        assertThat(late.next()).isEqualTo(3);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(late)).isEqualTo(CAPACITY);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(later)).isEqualTo(CAPACITY);
        push(a, 1);
        a.leave(later);
        a.leave(late);
        pull(b);
        pull(c);
        push(a, CAPACITY);
        assertThatThrownBy(() -> a.leave(late)).hasMessageContaining("no place in the graph");
        assertThatThrownBy(() -> a.join(late, new SCSequence()))
                .hasMessageContaining("has no place in the graph");
    }

    @Test
    void whoFollowedAStageThatLeavesFollowsWhatThatFollowed() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        push(a, 3);
        pull(b);
        Sequence late = new SCSequence();
        Sequence later = new MCSequence(CAPACITY);
        Sequence beside = new SCSequence();
        a.join(b, late);
        a.join(late, FanOut.to(later).and(beside));
        push(a, CAPACITY);
        pull(b);
        assertThat(later.next()).isEqualTo(Sequence.NONE);
        a.leave(late);
        assertThat(late.next()).isEqualTo(Sequence.CLOSED);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(later)).isEqualTo(CAPACITY);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(beside)).isEqualTo(CAPACITY);
        push(a, CAPACITY);
        assertThat(later.next()).isEqualTo(Sequence.NONE);
        pull(b);
        assertThat(pull(beside)).isEqualTo(CAPACITY);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(later)).isEqualTo(CAPACITY);
        push(a, 1);
    }

    @Test
    void anArmOfAFanOutLeavesItsFollowersBehind() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        FanOut fanOut = FanOut.to(b);
        a.then(fanOut).then(a);
        push(a, 1);
        Sequence late = new SCSequence();
        a.join(b, late);
        fanOut.remove(b);
        assertThat(b.next()).isEqualTo(Sequence.CLOSED);
        assertThat(pull(late)).isEqualTo(1);
        push(a, CAPACITY);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        a.leave(late);
        push(a, 3 * CAPACITY);
    }

    @Test
    void anyStageOfAGraphLeavesButTheLast() {
        Sequence a = new MPSequence(CAPACITY);
        Sequence b = new SCSequence();
        Sequence c = new MCSequence(CAPACITY);
        Sequence d = new SCSequence();
        a.then(b).then(c).then(d).then(a);
        push(a, CAPACITY);
        a.leave(c);
        assertThat(c.next()).isEqualTo(Sequence.CLOSED);
        assertThat(d.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(b)).isEqualTo(CAPACITY);
        assertThat(pull(d)).isEqualTo(CAPACITY);
        push(a, CAPACITY);
        a.leave(d);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(b)).isEqualTo(CAPACITY);
        push(a, CAPACITY);
        assertThatThrownBy(() -> a.leave(b)).hasMessageContaining("is the only stage");
        assertThatThrownBy(() -> a.leave(a)).hasMessageContaining("no place in the graph");
        assertThat(pull(b)).isEqualTo(CAPACITY);
        Sequence late = new SCSequence();
        a.join(a, late);
        a.leave(b);
        assertThatThrownBy(() -> a.leave(late)).hasMessageContaining("is the only stage");
        push(a, CAPACITY);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        assertThat(pull(late)).isEqualTo(CAPACITY);
    }

    @Test
    void theEndOfAnArmLeavesAndTheStageBeforeItTakesItsPlace() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        Sequence c = new SCSequence();
        Sequence d = new SCSequence();
        FanOut fanOut = FanOut.to(b.then(c)).and(d);
        a.then(fanOut).then(a);
        push(a, CAPACITY);
        pull(d);
        a.leave(c);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        pull(b);
        push(a, CAPACITY);
        a.leave(d);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        pull(b);
        push(a, 1);
        assertThatThrownBy(() -> fanOut.remove(d)).hasMessageContaining("is not in this FanOut");
        fanOut.remove(b);
        push(a, 3 * CAPACITY);
    }

    @Test
    void whatWasRefusedCanNeitherLeaveNorStay() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        push(a, 1);
        Sequence tooSmall = new MCSequence(CAPACITY / 2);
        assertThatThrownBy(() -> a.join(b, tooSmall)).hasMessageContaining("use one capacity");
        assertThatThrownBy(() -> a.join(b, b)).hasMessageContaining("place in a graph already");
        assertThatThrownBy(() -> a.leave(tooSmall)).hasMessageContaining("no place in the graph");
        assertThatThrownBy(() -> a.leave(b)).hasMessageContaining("is the only stage");
        pull(b);
        push(a, CAPACITY);
    }

    @Test
    void aSharedSequenceForgetsWhatItWasDoneWithElsewhere() {
        Sequence pool = new MCSequence(CAPACITY);
        Sequence a = new SPSequence(CAPACITY);
        FanOut first = FanOut.to(pool);
        a.then(first).then(a);
        push(a, 2);
        pool.next();
        pool.done(pool.next());
        first.remove(pool);
        Sequence b = new SPSequence(CAPACITY);
        FanOut second = new FanOut();
        b.then(second).then(b);
        push(b, 1);
        second.and(pool);
        push(b, CAPACITY);
        assertThat(b.next()).isEqualTo(Sequence.NONE);
        assertThat(pool.availableIndex()).isZero();
    }

    @Test
    void whoWaitsForAStageThatLeavesGoesOn() throws Exception {
        SPSequence a = new SPSequence(CAPACITY);
        FanOut fanOut = new FanOut();
        a.then(fanOut).then(a);
        Sequence b = fanOut.addAndGet(new SCSequence());
        push(a, CAPACITY);
        AtomicReference<Object> got = new AtomicReference<>();
        Thread producer =
                new Thread(
                        () -> {
                            try {
                                got.set(a.waitForNext());
                            } catch (InterruptedException e) {
                                got.set(e);
                            }
                        });
        producer.start();
        while (producer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        fanOut.remove(b);
        producer.join();
        assertThat(got.get()).isEqualTo((long) CAPACITY);
        assertThatThrownBy(() -> fanOut.remove(b)).hasMessageContaining("is not in this FanOut");
    }

    /** Who looks just then finds it without arms and without a place. */
    @Test
    void whoIsAtAnEmptyFanOutThatLeavesLooksAgain() {
        SPSequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        FanOut inner = new FanOut();
        FanOut outer = FanOut.to(b).and(inner);
        a.then(outer).then(a);
        push(a, CAPACITY);
        int before = a.circuit().changes();
        outer.remove(inner);
        assertThat(inner.availableIndex()).isGreaterThan(Integer.MAX_VALUE);
        assertThat(inner.lagging(0)).isNull();
        assertThat(a.circuit().changes()).isGreaterThan(before);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
        pull(b);
        push(a, CAPACITY);
        assertThat(a.next()).isEqualTo(Sequence.NONE);
    }

    /** A slot with its own index twice, so that a reader sees when it is overwritten. */
    private static final class Slot {
        long one;
        long two;
    }

    @Test
    void readersComeAndGoAndNeverSeeASlotThatIsWritten() throws Exception {
        RingQueue<Slot> queue = new RingQueue<>(Slot::new, 16);
        SPSequence a = new SPSequence(16);
        FanOut fanOut = new FanOut();
        a.then(fanOut).then(a);
        AtomicReference<Throwable> broken = new AtomicReference<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(new Thread(() -> comeAndGo(queue, fanOut, broken)));
        }
        Thread writer =
                new Thread(
                        () -> {
                            try {
                                long cursor;
                                while ((cursor = a.waitForNext()) >= 0) {
                                    queue.get(cursor).one = cursor;
                                    queue.get(cursor).two = cursor;
                                    a.done(cursor);
                                }
                            } catch (Throwable e) {
                                broken.set(e);
                            }
                        });
        writer.start();
        readers.forEach(Thread::start);
        for (Thread reader : readers) {
            reader.join();
        }
        a.stop(null);
        writer.join();
        assertThat(broken.get()).isNull();
    }

    private static void comeAndGo(
            RingQueue<Slot> queue, FanOut fanOut, AtomicReference<Throwable> broken) {
        try {
            for (int round = 0; round < 500; round++) {
                boolean shared = ThreadLocalRandom.current().nextBoolean();
                Sequence first = shared ? new MCSequence(16) : new SCSequence();
                Sequence second = new SCSequence();
                fanOut.and(first.then(second));
                long expected = -1;
                for (int i = 0; i < 40; i++) {
                    for (Sequence stage : List.of(first, second)) {
                        long cursor = stage.waitForNext();
                        Slot slot = queue.get(cursor);
                        expected = expected < 0 ? cursor : expected;
                        assertThat(cursor).isEqualTo(expected);
                        assertThat(slot.one).isEqualTo(cursor);
                        assertThat(slot.two).isEqualTo(cursor);
                        stage.done(cursor);
                    }
                    expected++;
                }
                fanOut.remove(second);
            }
        } catch (Throwable e) {
            broken.set(e);
        }
    }
}

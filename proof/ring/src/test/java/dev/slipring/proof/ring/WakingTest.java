// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Sequence;
import dev.slipring.ring.Waiting;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread with nothing to do that waits in the default way: what it costs, and how fast it wakes.
 */
@Timeout(120)
class WakingTest {

    private static final int TIMES = 200;

    /** After how long a thread that sleeps looks by itself, in microseconds; the build sets it. */
    private static final long FIRST_LOOK_MICROS =
            1_000 * Long.getLong("slipring.ring.firstLook", 50);

    private final AtomicLong wokenAt = new AtomicLong();

    /** Which kind of sequence waits for which. */
    enum Edge {
        STAGE_FOR_PRODUCER,
        STAGE_FOR_PRODUCERS,
        STAGE_FOR_STAGE,
        STAGE_FOR_WORKERS,
        WORKERS_FOR_STAGE,
        PRODUCER_FOR_STAGE,
        PRODUCERS_FOR_WORKERS;

        /** Wires a graph; returns the sequence that is waited for, and the one that waits. */
        Sequence[] wire(int capacity) {
            Sequence a = name().contains("PRODUCERS") ? mp(capacity) : new SPSequence(capacity);
            Sequence one = name().endsWith("WORKERS") ? new MCSequence(capacity) : new SCSequence();
            Sequence two =
                    name().startsWith("WORKERS") ? new MCSequence(capacity) : new SCSequence();
            if (name().startsWith("PRODUCER")) {
                a.then(one).then(a);
                while (a.next() >= 0) {
                    a.done(a.current() + (a instanceof SPSequence ? 1 : 0));
                }
                return new Sequence[] {one, a};
            }
            if (name().contains("FOR_PRODUCER")) {
                a.then(one).then(a);
                return new Sequence[] {a, one};
            }
            a.then(one).then(two).then(a);
            for (int i = 0; i < TIMES; i++) {
                a.done(a.next());
            }
            return new Sequence[] {one, two};
        }

        private static Sequence mp(int capacity) {
            return new MPSequence(capacity);
        }
    }

    private Thread start(Sequence waiter, int times) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                for (int i = 0; i < times; i++) {
                                    long cursor = waiter.waitForNext();
                                    if (cursor < 0) {
                                        return;
                                    }
                                    wokenAt.set(System.nanoTime());
                                    waiter.done(cursor);
                                }
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        thread.start();
        return thread;
    }

    private static void untilParked(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anIdleStageCostsUnderOneHundredthOfACore() throws Exception {
        SPSequence producer = new SPSequence(64);
        SCSequence stage = new SCSequence();
        producer.then(stage).then(producer);
        Thread thread = start(stage, 1);
        untilParked(thread);
        // A span to measure over, not a wait for something to happen.
        Thread.sleep(100);
        long cpu = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
        long start = System.nanoTime();
        Thread.sleep(1_000);
        long used = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()) - cpu;
        double share = (double) used / (System.nanoTime() - start);
        System.out.printf("an idle stage uses %.3f %% of a core%n", share * 100);
        assertThat(share).isLessThan(0.01);
        producer.close();
        thread.join();
    }

    /** A message for a pool wakes one of its threads, and not all of them. */
    @Test
    void aMessageWakesOneOfAPool() throws Exception {
        int messages = 100;
        int threads = 8;
        SPSequence producer = new SPSequence(64);
        MCSequence pool = new MCSequence(64);
        pool.waiting(Waiting.BLOCK);
        producer.then(pool).then(producer);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            all.add(start(pool, messages + 1));
        }
        all.forEach(WakingTest::untilParked);
        // By then they look by themselves only once a second.
        Thread.sleep(500);
        long before = parkings(all);
        for (int i = 0; i < messages; i++) {
            wokenAt.set(0);
            producer.done(producer.next());
            while (wokenAt.get() == 0) {
                Thread.onSpinWait();
            }
            Thread.sleep(2);
        }
        long each = (parkings(all) - before) / messages;
        System.out.printf("a message to a pool of %d: parked %d times%n", threads, each);
        // A thread that was woken takes some naps before it sleeps again; if all were woken, each
        // would.
        assertThat(each).isLessThan(threads);
        producer.close();
        for (Thread thread : all) {
            thread.join();
        }
    }

    private static long parkings(List<Thread> threads) {
        return threads.stream()
                .mapToLong(
                        thread ->
                                ManagementFactory.getThreadMXBean()
                                        .getThreadInfo(thread.getId())
                                        .getWaitedCount())
                .sum();
    }

    @ParameterizedTest
    @EnumSource
    void whoeverIsWaitedForWakes(Edge edge) throws Exception {
        Sequence[] pair = edge.wire(256);
        Thread thread = start(pair[1], TIMES);
        long[] micros = new long[TIMES];
        for (int i = 0; i < TIMES; i++) {
            // Waits until it naps no more and sleeps.
            untilParked(thread);
            Thread.sleep(8);
            untilParked(thread);
            long cursor = pair[0].next();
            wokenAt.set(0);
            long published = System.nanoTime();
            pair[0].done(cursor);
            while (wokenAt.get() == 0) {
                Thread.onSpinWait();
            }
            micros[i] = (wokenAt.get() - published) / 1_000;
        }
        thread.join();
        Arrays.sort(micros);
        System.out.printf(
                "%s: woken within %d us, one in ten above %d%n",
                edge, micros[TIMES / 2], micros[TIMES * 9 / 10]);
        // By itself it would look only later than this. How fast it is woken is a matter for the
        // bench, as the machine may be busy with other things.
        assertThat(micros[TIMES - 1]).isLessThan(FIRST_LOOK_MICROS);
    }
}

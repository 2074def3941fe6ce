// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import com.sun.management.OperatingSystemMXBean;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Sequence;

import org.HdrHistogram.Histogram;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * What the default way of waiting costs: how much of a processor a stage uses with nothing to do,
 * and how long it takes from when a message is published to when a stage that slept has it.
 * Measures in the same run how long a bare {@link LockSupport#unpark} takes, which is the least
 * possible. {@code [TIMES]}
 */
public final class Wake {

    private static final long ASLEEP_MILLIS = 5;
    private static final int CAPACITY = 1 << 12;
    private static final long IDLE_MILLIS = 3_000;

    private static volatile long wokenAt;
    private static volatile boolean told;

    private Wake() {}

    /** Measures and prints. */
    public static void main(String[] arguments) throws Exception {
        int times = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
        // By turns, so that what else the machine does affects all of them.
        Histogram bare = new Histogram(3);
        Histogram stage = new Histogram(3);
        Histogram next = new Histogram(3);
        Histogram pool = new Histogram(3);
        for (int i = 0; i < 4; i++) {
            bare(times / 4, bare);
            stage(new SCSequence(), times / 4, stage);
            follower(times / 4, next);
            stage(new MCSequence(CAPACITY), times / 4, pool);
        }
        print("a bare unpark", bare);
        print("a stage that a producer wakes", stage);
        print("a stage that a stage wakes", next);
        print("a worker that a producer wakes", pool);
        idle(1);
        idle(8);
    }

    private static void print(String what, Histogram nanos) {
        System.out.printf(
                Locale.ROOT,
                "%s: p50 %.1f us, p99 %.1f us, max %.1f us%n",
                what,
                nanos.getValueAtPercentile(50) / 1e3,
                nanos.getValueAtPercentile(99) / 1e3,
                nanos.getMaxValue() / 1e3);
    }

    private static void bare(int times, Histogram nanos) throws InterruptedException {
        Thread sleeper =
                new Thread(
                        () -> {
                            for (int i = 0; i < times; i++) {
                                while (!told) {
                                    LockSupport.park();
                                }
                                told = false;
                                wokenAt = System.nanoTime();
                            }
                        });
        sleeper.start();
        for (int i = 0; i < times; i++) {
            wokenAt = 0;
            Thread.sleep(ASLEEP_MILLIS);
            long start = System.nanoTime();
            told = true;
            LockSupport.unpark(sleeper);
            record(nanos, start);
        }
        sleeper.join();
    }

    private static void stage(Sequence stage, int times, Histogram nanos) throws Exception {
        SPSequence producer = new SPSequence(CAPACITY);
        producer.then(stage).then(producer);
        wake(producer, stage, times, nanos);
        producer.close();
    }

    private static void follower(int times, Histogram nanos) throws Exception {
        SPSequence producer = new SPSequence(CAPACITY);
        SCSequence first = new SCSequence();
        SCSequence second = new SCSequence();
        producer.then(first).then(second).then(producer);
        for (int i = 0; i < times; i++) {
            producer.done(producer.next());
        }
        wake(first, second, times, nanos);
        producer.close();
    }

    private static void wake(Sequence before, Sequence sleeper, int times, Histogram nanos)
            throws InterruptedException {
        Thread thread = sleeper(sleeper);
        for (int i = 0; i < times; i++) {
            wokenAt = 0;
            Thread.sleep(ASLEEP_MILLIS);
            long cursor = before.next();
            long start = System.nanoTime();
            before.done(cursor);
            record(nanos, start);
        }
        sleeper.stop(null);
        thread.join();
    }

    private static void record(Histogram nanos, long start) {
        while (wokenAt == 0) {
            Thread.onSpinWait();
        }
        nanos.recordValue(Math.max(wokenAt - start, 0));
    }

    private static Thread sleeper(Sequence sequence) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                long cursor;
                                while ((cursor = sequence.waitForNext()) >= 0) {
                                    wokenAt = System.nanoTime();
                                    sequence.done(cursor);
                                }
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        thread.start();
        return thread;
    }

    /** Prints how much of a core this many stages in a row use while they wait. */
    private static void idle(int stages) throws Exception {
        SPSequence producer = new SPSequence(CAPACITY);
        Sequence last = producer;
        Sequence[] all = new Sequence[stages];
        for (int i = 0; i < stages; i++) {
            all[i] = new SCSequence();
            last = last.then(all[i]);
        }
        last.then(producer);
        Thread[] threads = new Thread[stages];
        for (int i = 0; i < stages; i++) {
            threads[i] = sleeper(all[i]);
        }
        Thread.sleep(IDLE_MILLIS / 3);
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long start = System.nanoTime();
        long cpu = cpu(threads);
        long process = system.getProcessCpuTime();
        Thread.sleep(IDLE_MILLIS);
        double wall = System.nanoTime() - start;
        System.out.printf(
                Locale.ROOT,
                "%d idle: %.4f %% of a core each, the whole Java %.3f %%%n",
                stages,
                (cpu(threads) - cpu) / wall / stages * 100,
                (system.getProcessCpuTime() - process) / wall * 100);
        producer.close();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static long cpu(Thread[] threads) {
        long sum = 0;
        for (Thread thread : threads) {
            sum += ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
        }
        return sum;
    }
}

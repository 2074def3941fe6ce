// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a cache line takes from one processor to another: nanoseconds one way, measured by two
 * threads that hand a number to and fro. On a virtual machine it may be six times as long for some
 * seconds, and whatever passes messages is then slower by as much.
 */
final class LineWay {

    /** Up to this many nanoseconds, two processors count as near. */
    static final double NEAR = 150;

    private static final int CHUNKS = 200;
    private static final int CHUNK = 100;
    private static final int SPINS = 10_000;
    private static final long MOST_NANOS = 20_000_000;
    private static final long END = -1;

    private LineWay() {}

    /**
     * Measures for a few milliseconds, several times, and returns the best, as the system may
     * interrupt the threads.
     */
    static double nanos() throws InterruptedException {
        AtomicLong line = new AtomicLong();
        Thread other = new Thread(() -> answer(line));
        other.setDaemon(true);
        other.start();
        double best = Double.MAX_VALUE;
        long start = System.nanoTime();
        long value = 0;
        for (int i = 0; i < CHUNKS && System.nanoTime() - start < MOST_NANOS; i++) {
            long from = System.nanoTime();
            for (int j = 0; j < CHUNK; j++) {
                line.setRelease(value + 1);
                value += 2;
                await(line, value);
            }
            best = Math.min(best, (System.nanoTime() - from) / (2.0 * CHUNK));
        }
        line.set(END);
        other.join();
        return best;
    }

    private static void answer(AtomicLong line) {
        for (long value = 1; await(line, value); value += 2) {
            line.setRelease(value + 1);
        }
    }

    /** Waits for a number; false if the measuring ended before it came. */
    private static boolean await(AtomicLong line, long value) {
        for (int i = 1; ; i++) {
            long now = line.getAcquire();
            if (now == value || now == END) {
                return now == value;
            }
            if (i % SPINS == 0) {
                // Both threads may be on one processor.
                Thread.yield();
            }
        }
    }
}

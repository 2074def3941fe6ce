// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import org.HdrHistogram.Histogram;

/** A fixed rate: when each message is due, and how late each came to the last stage. */
public final class Pace {

    private static final long MOST = 10_000_000_000L;

    private final long gapNanos;
    private final int lastLevel;
    private final long start = System.nanoTime() + 10_000_000;
    private final Histogram latencies = new Histogram(MOST, 3);

    /** A message each so many nanoseconds; those who come to a level are measured. */
    public Pace(long gapNanos, int lastLevel) {
        this.gapNanos = gapNanos;
        this.lastLevel = lastLevel;
    }

    /** Waits until a message is due; the producer's. */
    public void await(long value) {
        long due = start + value * gapNanos;
        while (System.nanoTime() - due < 0) {
            Thread.onSpinWait();
        }
    }

    /** Whether a stage's thread is the one that measures. */
    boolean measures(int level, int stage) {
        return level == lastLevel && stage == 0;
    }

    /** A message has come; by one thread. */
    void arrived(long value) {
        long late = System.nanoTime() - (start + value * gapNanos);
        latencies.recordValue(Math.min(Math.max(late, 0), MOST));
    }

    /** What was measured, in nanoseconds; when the run is over. */
    public Histogram latencies() {
        return latencies;
    }
}

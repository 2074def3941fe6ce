// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** A fixed rate: when each message is due, and how late each came to the end of the graph. */
public final class Pace {

    private static final long MOST = 10_000_000_000L;
    private static final int DIGITS = 3;

    private final int producers;
    private final int lastLevel;
    private final long share;
    private final double gapNanos;
    private final boolean crowded;
    private final long start = System.nanoTime() + 10_000_000;
    private final List<Histogram> gauges = new ArrayList<>();

    /** A rate in messages per second through a shape; its producers publish by turns. */
    public Pace(Shape shape, long rate, long messages) {
        this.producers = shape.producers();
        this.lastLevel = shape.levels().size() - 1;
        this.share = shape.share(messages);
        this.gapNanos = 1e9 / rate;
        this.crowded = shape.threads() > Runtime.getRuntime().availableProcessors();
    }

    /**
     * When a message is due. Each producer publishes a range of the numbers; the last one's also
     * has the rest.
     */
    long due(long value) {
        long producer = share == 0 ? producers - 1 : Math.min(value / share, producers - 1);
        long turn = value - producer * share;
        return start + (long) ((turn * producers + producer) * gapNanos);
    }

    /** Lets a producer wait until a message is due. */
    public void await(long value) {
        long due = due(value);
        while (System.nanoTime() - due < 0) {
            if (crowded) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * What one thread of a level has to call when a message has come; null if this is not the last
     * level.
     */
    public LongConsumer gauge(int level) {
        if (level < lastLevel) {
            return null;
        }
        Histogram gauge = new Histogram(MOST, DIGITS);
        gauges.add(gauge);
        return value ->
                gauge.recordValue(Math.min(Math.max(System.nanoTime() - due(value), 0), MOST));
    }

    /** What all threads measured, in nanoseconds. Only after the run is over. */
    public Histogram latencies() {
        Histogram all = new Histogram(MOST, DIGITS);
        gauges.forEach(all::add);
        return all;
    }
}

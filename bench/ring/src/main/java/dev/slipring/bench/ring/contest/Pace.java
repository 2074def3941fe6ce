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

    /** So many messages a second through a shape, by turns from each of its producers. */
    public Pace(Shape shape, long rate, long messages) {
        this.producers = shape.producers();
        this.lastLevel = shape.levels().size() - 1;
        this.share = shape.share(messages);
        this.gapNanos = 1e9 / rate;
        this.crowded = shape.threads() > Runtime.getRuntime().availableProcessors();
    }

    /** When a message is due: producers have a run of numbers each, the last what is left. */
    long due(long value) {
        long producer = share == 0 ? producers - 1 : Math.min(value / share, producers - 1);
        long turn = value - producer * share;
        return start + (long) ((turn * producers + producer) * gapNanos);
    }

    /** Waits until a message is due; a producer's. */
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
     * What one thread of a level says when a message has come; null if that is not the last level.
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

    /** What all threads measured, in nanoseconds; when the run is over. */
    public Histogram latencies() {
        Histogram all = new Histogram(MOST, DIGITS);
        gauges.forEach(all::add);
        return all;
    }
}

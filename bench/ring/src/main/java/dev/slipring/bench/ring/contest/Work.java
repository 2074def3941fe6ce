// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * What one thread of a stage does with messages: it adds up their numbers. If there is something to
 * compute, it also computes its share, or adds up what was computed before. Used by that thread
 * only, and read when the thread has ended.
 */
public final class Work extends Apart {

    private final int terms;
    private final int share;
    private final int shares;
    private final LongConsumer gauge;
    private long sum;
    private double results;

    private Work(int terms, int share, int shares, LongConsumer gauge) {
        this.terms = terms;
        this.share = share;
        this.shares = shares;
        this.gauge = gauge;
    }

    /** The work of a stage in a level of a shape. */
    public static Work of(Shape shape, Load load, int level, int stage) {
        List<Integer> stages = shape.levels().get(level);
        boolean computes = load.terms() > 0 && level == 0;
        boolean gathers = load.terms() > 0 && level > 0;
        return new Work(
                computes ? load.terms() : gathers ? -1 : 0,
                stage,
                computes ? stages.size() : 1,
                load.pace() == null ? null : load.pace().gauge(level));
    }

    /** Handles one message. */
    public void on(Event event) {
        sum += event.value;
        if (terms != 0) {
            compute(event);
        }
        if (gauge != null) {
            gauge.accept(event.value);
        }
    }

    private void compute(Event event) {
        if (terms < 0) {
            results += event.result;
        } else if (event.value % shares == share) {
            event.result = slice(event.value, terms);
        }
    }

    /** Some terms of Leibniz's series for pi, from {@code value * terms} on. */
    public static double slice(long value, int terms) {
        double slice = 0;
        for (long k = value * terms; k < (value + 1) * terms; k++) {
            slice += ((k & 1) == 0 ? 4.0 : -4.0) / (2 * k + 1);
        }
        return slice;
    }

    /** The sum of the numbers. */
    public long sum() {
        return sum;
    }

    /** The sum of what was computed. */
    public double results() {
        return results;
    }
}

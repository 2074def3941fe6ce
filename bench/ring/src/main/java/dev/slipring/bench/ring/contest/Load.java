// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is sent through a shape.
 *
 * @param messages how many
 * @param capacity how many slots the ring has
 * @param terms how many terms of a series are computed for a message; 0 to add numbers only
 * @param pace the rate at which they are sent; null for as fast as possible
 */
public record Load(long messages, int capacity, int terms, Pace pace) {

    /** Sums that were computed, kept because computing one takes longer than a run. */
    private static final Map<Load, Double> SERIES = new ConcurrentHashMap<>();

    /** A load that is sent as fast as possible. */
    public Load(long messages, int capacity, int terms) {
        this(messages, capacity, terms, null);
    }

    /** The sum of the terms of all messages, added in their order. */
    double result() {
        return SERIES.computeIfAbsent(
                new Load(messages, 0, terms),
                load -> {
                    double sum = 0;
                    for (long value = 0; value < load.messages; value++) {
                        sum += Work.slice(value, load.terms);
                    }
                    return sum;
                });
    }

    /** Waits until a message is due. */
    public void await(long value) {
        if (pace != null) {
            pace.await(value);
        }
    }
}

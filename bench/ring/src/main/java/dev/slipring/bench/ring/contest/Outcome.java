// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import java.util.List;

/**
 * The result of a run.
 *
 * @param nanos how long it took
 * @param cpuNanos how much processor time it took, in nanoseconds
 * @param sums for each stage, what its threads added up
 * @param results for each stage, the sum of what was computed before it
 */
public record Outcome(long nanos, long cpuNanos, List<Long> sums, List<Double> results) {

    /**
     * Checks that every stage got every message once.
     *
     * @throws IllegalStateException if not
     */
    public Outcome check(Shape shape, Load load) {
        long sum = load.messages() * (load.messages() - 1) / 2;
        for (int stage = 0; stage < shape.stages(); stage++) {
            if (sums.get(stage) != sum) {
                throw new IllegalStateException(
                        "stage "
                                + stage
                                + " has the checksum "
                                + sums.get(stage)
                                + " instead of "
                                + sum);
            }
        }
        if (load.terms() > 0) {
            double last = results.get(results.size() - 1);
            double expected = load.result();
            if (last != expected) {
                throw new IllegalStateException("computed " + last + " instead of " + expected);
            }
        }
        return this;
    }
}

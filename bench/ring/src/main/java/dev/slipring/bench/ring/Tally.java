// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

/** Adds up several runs. */
final class Tally {

    private int runs;
    private double nanos;
    private double cpuNanos;
    private double farthest;

    /** Adds a run: how long it took, and the longest way of a line measured around it. */
    void add(double runNanos, double runCpuNanos, double way) {
        runs++;
        nanos += runNanos;
        cpuNanos += runCpuNanos;
        farthest = Math.max(farthest, way);
    }

    int runs() {
        return runs;
    }

    /** The mean of the runs, as a {@link Fork}. */
    Fork over(long messages) {
        double all = (double) runs * messages;
        return new Fork(nanos / all, cpuNanos / all, farthest);
    }
}

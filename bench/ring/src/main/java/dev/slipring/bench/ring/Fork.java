// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.topology.Topology;

import java.io.IOException;
import java.util.Locale;

/**
 * What was measured in a Java of its own.
 *
 * @param nanos nanoseconds per message
 * @param cpuNanos nanoseconds of processor time per message
 * @param wayNanos the longest time meanwhile that a cache line took from one processor to another,
 *     in nanoseconds; see {@link LineWay}
 */
record Fork(double nanos, double cpuNanos, double wayNanos) {

    /** Measures in a new Java. */
    static Fork of(Topology topology, Contestant contestant, int capacity, double seconds)
            throws IOException {
        return read(
                OwnJava.says(
                        Heat.class,
                        topology.name(),
                        contestant.name(),
                        String.valueOf(capacity),
                        String.valueOf(seconds)));
    }

    private static Fork read(String line) {
        String[] words = line.split(" ");
        return new Fork(
                Double.parseDouble(words[0]),
                Double.parseDouble(words[1]),
                Double.parseDouble(words[2]));
    }

    /** The line that this Java prints and the one that started it reads. */
    String line() {
        return nanos + " " + cpuNanos + " " + wayNanos;
    }

    /** A note on the figures; empty if there is none. */
    String note() {
        return wayNanos <= LineWay.NEAR ? "" : "some with processors far apart";
    }

    double messagesPerSecond() {
        return 1e9 / nanos;
    }

    /** How much of one core was used. */
    double cpuPercent() {
        return cpuNanos / nanos * 100;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.2f ns, %.2f ns of processor, lines' way %.0f ns",
                nanos,
                cpuNanos,
                wayNanos);
    }
}

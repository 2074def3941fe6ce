// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.topology.Topology;

import java.io.IOException;
import java.util.Locale;

/**
 * What a Java of its own measured.
 *
 * @param nanos nanoseconds a message
 * @param cpuNanos the processors' nanoseconds a message
 * @param wayNanos the longest way of a cache line meanwhile, see {@link LineWay}
 */
record Fork(double nanos, double cpuNanos, double wayNanos) {

    /** Runs one. */
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

    /** What another Java reads. */
    String line() {
        return nanos + " " + cpuNanos + " " + wayNanos;
    }

    /** What is to be said of it besides its figures. */
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

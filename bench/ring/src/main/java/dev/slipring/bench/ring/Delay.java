// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.topology.Topology;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/**
 * How late messages came that were sent at a fixed rate, measured in a Java of its own.
 *
 * @param messagesPerSecond the rate that was reached
 * @param cpuPercent how much of one core was used, including the time that producers spent looking
 *     at the clock
 * @param p50 the median, in nanoseconds
 * @param p99 what one in a hundred exceeded
 * @param p999 what one in a thousand exceeded
 * @param most the longest
 */
record Delay(
        double messagesPerSecond,
        double cpuPercent,
        double p50,
        double p99,
        double p999,
        double most) {

    private static final double NANOS_A_MILLI = 1e6;

    /** Measures in a new Java. */
    static Delay of(
            Topology topology, Contestant contestant, int capacity, long rate, double seconds)
            throws IOException {
        return read(
                OwnJava.says(
                        Latency.class,
                        topology.name(),
                        contestant.name(),
                        String.valueOf(capacity),
                        String.valueOf(rate),
                        String.valueOf(seconds)));
    }

    private static Delay read(String line) {
        double[] numbers =
                Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
        return new Delay(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    }

    /** The line that this Java prints and the one that started it reads. */
    String line() {
        return messagesPerSecond
                + " "
                + cpuPercent
                + " "
                + p50
                + " "
                + p99
                + " "
                + p999
                + " "
                + most;
    }

    double p50Millis() {
        return p50 / NANOS_A_MILLI;
    }

    double p99Millis() {
        return p99 / NANOS_A_MILLI;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "p50 %.2f us, p99 %.2f us, p99.9 %.2f us, most %.2f us",
                p50 / 1e3,
                p99 / 1e3,
                p999 / 1e3,
                most / 1e3);
    }
}

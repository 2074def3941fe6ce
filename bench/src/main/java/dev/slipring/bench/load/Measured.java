// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import org.HdrHistogram.Histogram;

/**
 * The result of one run.
 *
 * @param messagesPerSecond the lesser of what was pushed and what was delivered
 * @param p50Millis the median latency; null if none was measured
 * @param p99Millis the latency that one in a hundred exceeded; null if none was measured
 * @param cpuPercent how much of one core the process used; null if that was not measured
 * @param logBytes how many bytes a message took of the server's log; null if that was not measured
 * @param note what was seen besides, in words; empty if nothing was
 */
public record Measured(
        double messagesPerSecond,
        Double p50Millis,
        Double p99Millis,
        Double cpuPercent,
        Double logBytes,
        String note) {

    /** A rate and nothing else. */
    public static Measured rate(double messagesPerSecond) {
        return new Measured(messagesPerSecond, null, null, null, null, "");
    }

    /** The same with the latencies of a histogram of nanoseconds. */
    public Measured latencies(Histogram nanos) {
        return new Measured(
                messagesPerSecond,
                nanos.getValueAtPercentile(50) / 1e6,
                nanos.getValueAtPercentile(99) / 1e6,
                cpuPercent,
                logBytes,
                note);
    }

    /**
     * The same without latencies, for runs where they mean little, as they are mostly those of
     * pushes that wait for room.
     */
    public Measured withoutLatencies() {
        return new Measured(messagesPerSecond, null, null, cpuPercent, logBytes, note);
    }

    /** The same with the share of a core. */
    public Measured cpu(double percent) {
        return new Measured(messagesPerSecond, p50Millis, p99Millis, percent, logBytes, note);
    }

    /** The same with what a message took of the server's log. */
    public Measured logBytes(double bytes) {
        return new Measured(messagesPerSecond, p50Millis, p99Millis, cpuPercent, bytes, note);
    }

    /** The same with a note. */
    public Measured note(String newNote) {
        return new Measured(messagesPerSecond, p50Millis, p99Millis, cpuPercent, logBytes, newNote);
    }
}

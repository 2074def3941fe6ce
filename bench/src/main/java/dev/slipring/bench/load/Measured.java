// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import org.HdrHistogram.Histogram;

/**
 * What one run came to.
 *
 * @param messagesPerSecond the lesser of what was pushed and what was delivered
 * @param p50Millis the median latency; null if none was measured
 * @param p99Millis the latency that one in a hundred exceeded; null if none was measured
 * @param cpuPercent how much of one core the process used; null if that was not measured
 * @param note what was seen besides, in words; empty if nothing was
 */
public record Measured(
        double messagesPerSecond,
        Double p50Millis,
        Double p99Millis,
        Double cpuPercent,
        String note) {

    /** A rate. */
    public static Measured rate(double messagesPerSecond) {
        return new Measured(messagesPerSecond, null, null, null, "");
    }

    /** The same with the latencies of a histogram of nanoseconds. */
    public Measured latencies(Histogram nanos) {
        return new Measured(
                messagesPerSecond,
                nanos.getValueAtPercentile(50) / 1e6,
                nanos.getValueAtPercentile(99) / 1e6,
                cpuPercent,
                note);
    }

    /** The same where the latencies say nothing: those of pushes that wait for room, mostly. */
    public Measured withoutLatencies() {
        return new Measured(messagesPerSecond, null, null, cpuPercent, note);
    }

    /** The same with a processor's time. */
    public Measured cpu(double percent) {
        return new Measured(messagesPerSecond, p50Millis, p99Millis, percent, note);
    }

    /** The same with a note. */
    public Measured note(String newNote) {
        return new Measured(messagesPerSecond, p50Millis, p99Millis, cpuPercent, newNote);
    }
}

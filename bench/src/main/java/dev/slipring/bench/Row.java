// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

/**
 * The median of the rounds, as it is shown.
 *
 * @param engine the engine
 * @param workload the workload
 * @param variant what differs besides the threads and the batch
 * @param system the system
 * @param threads how many threads push, or work
 * @param batch how many messages are pushed at a time
 * @param bytes how long a body is
 * @param messagesPerSecond the lesser of what was pushed and what was delivered
 * @param p50Ms the median latency; null if none was measured
 * @param p99Ms the latency that one in a hundred exceeded; null if none was measured
 * @param ratio the rate over the baseline's, or where there is no baseline over that of the best of
 *     the others; null if there is neither
 */
public record Row(
        String engine,
        String workload,
        String variant,
        String system,
        int threads,
        int batch,
        int bytes,
        double messagesPerSecond,
        Double p50Ms,
        Double p99Ms,
        Double ratio) {}

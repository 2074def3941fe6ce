// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import dev.slipring.bench.load.Bodies;
import dev.slipring.bench.load.Measured;
import dev.slipring.bench.workload.Trial;

/**
 * The result of one run, as it is kept.
 *
 * @param engine the engine
 * @param workload the workload
 * @param setting what else all compared systems have in common; empty if threads and batch say it
 *     all
 * @param option how the system is set; empty if it can be set in one way only
 * @param system the system
 * @param threads how many threads push, or work
 * @param batch how many messages are pushed at a time
 * @param bytes how long a body is
 * @param messagesPerSecond the lesser of what was pushed and what was delivered
 * @param p50Ms the median latency; null if none was measured
 * @param p99Ms the latency that one in a hundred exceeded; null if none was measured
 * @param cpuPercent how much of a core the process used; null if that was not measured
 * @param logBytes how many bytes a message took of the server's log; null if that was not measured
 * @param note what was seen besides; empty if nothing was
 * @param round the round, from 1
 * @param seconds how long was measured
 * @param liveHeapMb the most heap that was in use right after a garbage collection, in MB; 0 if
 *     there was none
 */
public record RawRow(
        String engine,
        String workload,
        String setting,
        String option,
        String system,
        int threads,
        int batch,
        int bytes,
        double messagesPerSecond,
        Double p50Ms,
        Double p99Ms,
        Double cpuPercent,
        Double logBytes,
        String note,
        int round,
        double seconds,
        long liveHeapMb) {

    /**
     * When and how long was measured.
     *
     * @param number the round, from 1
     * @param seconds how long was measured
     * @param liveHeapMb the most heap that was in use right after a garbage collection
     */
    public record Round(int number, double seconds, long liveHeapMb) {}

    /** The row of a run. */
    public static RawRow of(
            String engine, String workload, Trial trial, Measured measured, Round round) {
        return new RawRow(
                engine,
                workload,
                trial.setting().what(),
                trial.contender().option(),
                trial.contender().system(),
                trial.setting().threads(),
                trial.setting().batch(),
                Bodies.BYTES,
                measured.messagesPerSecond(),
                measured.p50Millis(),
                measured.p99Millis(),
                measured.cpuPercent(),
                measured.logBytes(),
                measured.note(),
                round.number(),
                round.seconds(),
                round.liveHeapMb());
    }
}

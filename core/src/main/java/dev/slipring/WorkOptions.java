// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.concurrent.Executor;

/**
 * How workers run. Immutable.
 *
 * @param threads how many work at a time, 1 to 10,000
 * @param batch how many messages one claims at most, 1 to 100,000; it claims fewer if they take
 *     long. Workers of a pool whose handler takes single messages share their claims, and claim for
 *     all
 * @param executor runs the workers, one task each for as long as they work; null for threads made
 *     here
 */
public record WorkOptions(int threads, int batch, Executor executor) {

    public WorkOptions {
        if (threads < 1 || threads > 10_000) {
            throw new IllegalArgumentException(threads + " worker threads; use 1 to 10,000");
        }
        if (batch < 1 || batch > 100_000) {
            throw new IllegalArgumentException(
                    "claims of at most " + batch + " messages; use 1 to 100,000");
        }
    }

    /** Threads made here, 1 to 10,000, and claims of at most 1,000 messages. */
    public static WorkOptions threads(int threads) {
        return new WorkOptions(threads, 1_000, null);
    }

    /** These options with another limit for a claim, 1 to 100,000 messages. */
    public WorkOptions batch(int newBatch) {
        return new WorkOptions(threads, newBatch, executor);
    }

    /**
     * These options with an executor, whose threads may be virtual. As many work at a time as it
     * runs tasks; a single thread does it all. An executor that runs tasks on the caller's thread
     * keeps that thread until the workers end.
     *
     * <p>An interrupt of one of its threads, as by {@code shutdownNow}, ends all of these workers,
     * and the listener is told. A handler that throws because of it has failed, which counts as an
     * attempt. So close the workers first.
     */
    public WorkOptions executor(Executor newExecutor) {
        return new WorkOptions(threads, batch, newExecutor);
    }
}

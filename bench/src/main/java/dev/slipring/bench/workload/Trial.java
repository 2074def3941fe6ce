// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;

/** One setting of a workload on one system: run once a round. Closing removes what it keeps. */
public interface Trial extends AutoCloseable {

    /** The setting. */
    Setting setting();

    /** The system. */
    Contender contender();

    /** Whether it runs faster if this process has run it before. */
    default boolean gainsByWarming() {
        return true;
    }

    /** What users have to know before it runs; empty if nothing. */
    default String warning() {
        return "";
    }

    /**
     * Measures once.
     *
     * @throws dev.slipring.bench.BenchFailed if what was delivered is not what was pushed
     */
    Measured run(Timing timing) throws Exception;

    @Override
    default void close() {
        // Most runs remove their place themselves.
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time before the measuring: the ramp, and then until the compilers of this Java have little to
 * do. They take processor time from all systems that are measured, and more from those whose client
 * does more by itself. In a service that runs for days this is over.
 */
final class WarmUp {

    private static final Duration STEP = Duration.ofMillis(500);

    /** The part of a step that may be spent on compiling. */
    private static final double LITTLE = 0.1;

    private WarmUp() {}

    /** Waits; throws what goes wrong meanwhile. */
    static void await(Timing timing, Trouble trouble) throws InterruptedException {
        await(timing, trouble, ManagementFactory.getCompilationMXBean()::getTotalCompilationTime);
    }

    /**
     * Waits until the compilers have little to do.
     *
     * @param compiled how many milliseconds all compilers together have worked so far
     */
    static void await(Timing timing, Trouble trouble, LongSupplier compiled)
            throws InterruptedException {
        long start = System.nanoTime();
        long before = compiled.getAsLong();
        trouble.sleep(timing.ramp());
        long now = compiled.getAsLong();
        while (System.nanoTime() - start < timing.longest().toNanos()
                && now - before > LITTLE * STEP.toMillis()) {
            trouble.sleep(STEP);
            before = now;
            now = compiled.getAsLong();
        }
    }
}

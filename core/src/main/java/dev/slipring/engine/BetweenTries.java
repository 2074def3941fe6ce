// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A pause between two tries of something that must be finished even if the thread is interrupted.
 */
public final class BetweenTries {

    /**
     * How long to wait for a transaction of somebody else: an ordinary one is over by then, one of
     * a caller may not be.
     */
    public static final Duration OTHERS = Duration.ofMillis(250);

    private BetweenTries() {}

    /**
     * Sleeps about so long. A thread that is interrupted already sleeps too, so a loop around this
     * stays as slow as it is meant to be. The interrupt is not lost.
     *
     * @param nanos how long, 0 or more
     */
    public static void sleep(long nanos) {
        boolean interrupted = Thread.interrupted();
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A pause between two tries of what has to come to its end, also where a thread is interrupted. */
public final class Pause {

    /** An ordinary transaction of somebody else is over by then; one of a caller may not be. */
    public static final Duration OTHERS = Duration.ofMillis(250);

    private Pause() {}

    /**
     * Sleeps about so long. An interrupt neither lets it return at once nor is lost, so a loop
     * around it stays as slow as it is meant to be.
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

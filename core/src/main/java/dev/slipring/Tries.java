// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Pause;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Asks for something again and again that a transaction of somebody else may hold up. */
final class Tries {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private Tries() {}

    /** What an attempt brings, at the latest one when the time is over; empty if none does. */
    static <T> Optional<T> within(Duration time, Supplier<Optional<T>> attempt) {
        long end = System.nanoTime() + time.toNanos();
        while (true) {
            boolean last = System.nanoTime() - end >= 0;
            Optional<T> found = attempt.get();
            if (last || found.isPresent()) {
                return found;
            }
            Pause.sleep(PAUSE_NANOS);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.BetweenTries;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tries something again and again that a transaction of somebody else may hold up. */
final class Tries {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How long a word waits for a transaction that spoke of its claim. */
    private static final Duration OWN_TRANSACTION = Duration.ofSeconds(10);

    private Tries() {}

    /**
     * Tries until no transaction that spoke of the same claim is in the way, and returns what that
     * attempt gives.
     *
     * @throws StoreFailed if one does for ten seconds, which may be this thread's own
     */
    static <T> T behindOwnTransaction(Supplier<Optional<T>> attempt) {
        return within(OWN_TRANSACTION, attempt)
                .orElseThrow(
                        () ->
                                new StoreFailed(
                                        "a transaction that spoke of this claim is still open;"
                                                + " commit it, or roll it back, and say this"
                                                + " behind it"));
    }

    /**
     * Tries for no longer than an ordinary transaction of somebody else takes; empty if no attempt
     * gives anything.
     */
    static <T> Optional<T> briefly(Supplier<Optional<T>> attempt) {
        return within(BetweenTries.OTHERS, attempt);
    }

    /** Tries until an attempt gives something, and once more when the time is over. */
    private static <T> Optional<T> within(Duration time, Supplier<Optional<T>> attempt) {
        long end = System.nanoTime() + time.toNanos();
        while (true) {
            boolean last = System.nanoTime() - end >= 0;
            Optional<T> found = attempt.get();
            if (last || found.isPresent()) {
                return found;
            }
            BetweenTries.sleep(PAUSE_NANOS);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Decides what becomes of a slot on which a handler failed, or of a batch where batches are
 * handled. If it throws itself, the ring stops.
 *
 * @param <T> what a slot is
 */
@FunctionalInterface
public interface OnFailure<T> {

    /** What to do. */
    enum Verdict {
        /** Stop the ring: producers and other stages learn it, with the error. */
        STOP,
        /** Go on behind what failed. */
        SKIP,
        /**
         * Call the handler again, with the same slot or batch. There is no pause between two tries:
         * whoever wants one makes it before it answers. In a ring that has stopped there is no
         * other try.
         */
        RETRY
    }

    /**
     * Decides; called by the thread of the handler, for each slot of what failed if there are
     * several. The strictest verdict holds for all: any {@code STOP} stops, else any {@code RETRY}
     * has all of them handled again.
     *
     * @param slot the slot, which may still be read
     * @param error what the handler threw
     * @param attempt how often the handler was called with it, from 1
     */
    Verdict failed(T slot, Exception error, int attempt);

    /** Stops the ring; the default. */
    static <T> OnFailure<T> stop() {
        return (slot, error, attempt) -> Verdict.STOP;
    }

    /** Tells somebody and goes on. */
    static <T> OnFailure<T> skip(BiConsumer<? super T, ? super Exception> dead) {
        Objects.requireNonNull(dead, "dead");
        return (slot, error, attempt) -> {
            dead.accept(slot, error);
            return Verdict.SKIP;
        };
    }

    /** Tries so many times in all, without a pause between them, then does something else. */
    static <T> OnFailure<T> retry(int tries, OnFailure<T> then) {
        Objects.requireNonNull(then, "then");
        if (tries < 1) {
            throw new IllegalArgumentException(tries + " tries; use 1 or more");
        }
        return (slot, error, attempt) ->
                attempt < tries ? Verdict.RETRY : then.failed(slot, error, attempt);
    }
}

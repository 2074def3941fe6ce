// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Uninterrupted;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Those who wait for messages of a stage of a ring that is open here, in the order they came. All
 * who are in front look whenever there is news; of thousands each would be in the way of the
 * others, and of who has something to say. Thread-safe.
 */
final class Line {

    /** How many are in front: as many as calls are made at a time for virtual threads. */
    static final int FRONT = Uninterrupted.MOST;

    /** Who looks once does not keep others waiting for long, unless the store does. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Semaphore front = new Semaphore(FRONT, true);
    private final Semaphore beside = new Semaphore(FRONT, true);

    /**
     * Looks from the front; or once from beside it, if it takes longer to come there than the
     * caller waits; or at once, if he does not wait, or is interrupted.
     *
     * @param nanos how long he waits; zero or less for not at all
     */
    <T> T inFront(long nanos, Supplier<T> looking) {
        if (nanos <= 0) {
            return looking.get();
        }
        if (enter(front, nanos)) {
            return look(front, looking);
        }
        // A claim in a listener of a claim may be what the others wait for: it goes on in the end.
        return enter(beside, PATIENCE_NANOS) ? look(beside, looking) : looking.get();
    }

    private static <T> T look(Semaphore from, Supplier<T> looking) {
        try {
            return looking.get();
        } finally {
            from.release();
        }
    }

    private static boolean enter(Semaphore place, long nanos) {
        try {
            return place.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Uninterrupted;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads of one open store that wait for messages of a stage, in the order in which they came.
 * Only the few in front look whenever there is news: thousands would be in each other's way, and in
 * the way of workers who report. Thread-safe.
 */
final class Line {

    /** How many are in front: as many as there may be calls for virtual threads at a time. */
    static final int FRONT = Uninterrupted.MOST;

    /**
     * How long to wait for a place beside the front. Whoever is there looks once, which is short
     * unless the store is slow.
     */
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
        // In the end it looks anyway: if this is a listener of a claim that claims itself, the
        // others may wait for it.
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

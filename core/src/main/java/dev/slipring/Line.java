// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Those who wait for messages of a stage in this process, in the order in which they came. All who
 * are in front look whenever there is news; of thousands each would be in the way of the others,
 * and of who has something to say. Thread-safe.
 */
final class Line {

    /** How many are in front. */
    static final int FRONT = 64;

    private final Semaphore front = new Semaphore(FRONT, true);

    /**
     * Looks from the front, or from elsewhere if it takes longer to come there than the caller
     * waits, or if he is interrupted: for the last time, then.
     *
     * @param nanos how long he waits; zero or less for not at all
     */
    <T> T inFront(long nanos, Supplier<T> looking) {
        boolean inFront = enter(nanos);
        try {
            return looking.get();
        } finally {
            if (inFront) {
                front.release();
            }
        }
    }

    private boolean enter(long nanos) {
        try {
            return nanos > 0 && front.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

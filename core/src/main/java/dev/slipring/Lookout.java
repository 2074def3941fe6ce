// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * What is known after an empty claim: until there is news, or a time has come, the next claim would
 * be empty too. Immutable.
 *
 * @param seen how often there had been news before the claim
 * @param until when the clock alone may bring something, as {@link System#nanoTime} counts
 */
record Lookout(long seen, long until) {

    /**
     * The longest wait without a look. If the store's clock is put forward, what becomes due by
     * that is found within this time.
     */
    private static final long MOST_MILLIS = 60_000;

    /** From a claim that has just found nothing, and when the clock alone may bring something. */
    static Lookout of(long seen, long nextMillis) {
        long millis = Math.min(nextMillis, MOST_MILLIS);
        return new Lookout(seen, System.nanoTime() + millis * 1_000_000);
    }

    /** How long to wait from now on, in nanoseconds; zero or less for not at all. */
    long left() {
        return until - System.nanoTime();
    }
}

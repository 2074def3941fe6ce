// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * What is known when a claim found nothing: unless there is news, or the time comes, the next
 * would find nothing either. Immutable.
 *
 * @param seen how often there had been news before the claim
 * @param until when the clock alone may bring something, as {@link System#nanoTime} counts
 */
record Lookout(long seen, long until) {

    /** At the latest this long after a clock was put forward, what became due by it is found. */
    static final long MOST_MILLIS = 60_000;

    /** From a claim that found nothing. */
    static Lookout of(long seen, Claim nothing) {
        long millis = Math.min(nothing.nextMillis(), MOST_MILLIS);
        return new Lookout(seen, System.nanoTime() + millis * 1_000_000);
    }

    /** How long to wait from now on, in nanoseconds; zero or less for not at all. */
    long left() {
        return until - System.nanoTime();
    }
}

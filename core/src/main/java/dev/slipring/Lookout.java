// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * What is known when a claim found nothing: unless there are news, or the time comes, the next
 * would find nothing either. Immutable.
 *
 * @param seen how often there had been news before the claim
 * @param until when the clock alone may bring something, as {@link System#nanoTime} counts
 */
record Lookout(long seen, long until) {

    /** From a claim that found nothing; looks again by itself after some nanoseconds. */
    static Lookout of(long seen, Claim nothing, long mostNanos) {
        long millis = Math.min(nothing.nextMillis(), mostNanos / 1_000_000);
        return new Lookout(seen, System.nanoTime() + millis * 1_000_000);
    }

    /** How long to wait from now on, in nanoseconds; zero or less for not at all. */
    long left() {
        return until - System.nanoTime();
    }
}

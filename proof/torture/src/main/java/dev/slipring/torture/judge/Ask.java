// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.concurrent.TimeUnit;

/**
 * A worker asked for messages, and nobody knows what it got: it was killed before the answer, or
 * the answer was an error. It may have become a claim, of which no journal tells, that ran out.
 *
 * @param stage the stage
 * @param begin when it was asked
 * @param max for how many messages at most
 */
record Ask(String stage, long begin, int max) {

    /** So long after it was asked a claim is surely made, or never; in microseconds. */
    private static final long REACH = TimeUnit.SECONDS.toMicros(20);

    private static final long LEASE = Course.LEASE.toNanos() / 1_000 - Hand.MARGIN;

    /** Whether a claim of it may have been made, and have run out, in this span of time. */
    boolean mayHaveRunOut(long from, long to) {
        return begin + LEASE <= to && begin + REACH >= from;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.time.Duration;
import java.util.Objects;

/**
 * How long a failed message waits for its retry: {@code first}, doubled for each further failure,
 * at most {@code most}. The wait is a random part of that, between a half and the whole, so that
 * messages that failed together do not come back together.
 *
 * @param first the wait after the first failure, in whole milliseconds; zero means at once
 * @param most the longest wait, {@code first} to 36525 days, in whole milliseconds
 */
public record Backoff(Duration first, Duration most) {

    /** The longest wait for a retry that there is, which every engine can count with. */
    public static final Duration LONGEST = Duration.ofDays(36_525);

    /** One second, doubling to ten minutes. */
    public static final Backoff DEFAULT =
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10));

    public Backoff {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(most, "most");
        if (first.isNegative() || most.compareTo(first) < 0 || most.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "back-off from "
                            + first
                            + " to "
                            + most
                            + ": the first must be 0 or more and not above the most, which must"
                            + " be 36525 days or less");
        }
        first = Duration.ofMillis(first.toMillis());
        most = Duration.ofMillis(most.toMillis());
    }

    /**
     * The wait before the next attempt, in milliseconds.
     *
     * @param attempt the number of the attempt that failed, from 1
     * @param random a number from 0 (inclusive) to 1 (exclusive)
     */
    public long millis(int attempt, double random) {
        int doublings = Math.min(Math.max(attempt - 1, 0), 40);
        double whole = Math.min((double) first.toMillis() * (1L << doublings), most.toMillis());
        return Math.round(whole * (0.5 + random / 2));
    }
}

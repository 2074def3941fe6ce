// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.time.Duration;

/**
 * How long a run takes.
 *
 * @param ramp how long it runs before the measuring, so that compiling and caches do not count
 * @param window how long is measured
 */
public record Timing(Duration ramp, Duration window) {

    private static final Duration LONGEST_RAMP = Duration.ofSeconds(1);
    private static final Duration LONGEST_WARMING = Duration.ofMillis(500);

    /** A window, and a quarter of it before, but at most a second. */
    public static Timing window(Duration window) {
        return new Timing(least(window.dividedBy(4), LONGEST_RAMP), window);
    }

    /** For a run that nobody looks at, in front of those that count. */
    public Timing warming() {
        return new Timing(Duration.ZERO, least(window.dividedBy(2), LONGEST_WARMING));
    }

    /** The same window after a longer time. */
    public Timing ramp(Duration longer) {
        return new Timing(longer, window);
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}

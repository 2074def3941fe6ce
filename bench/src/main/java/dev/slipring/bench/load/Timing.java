// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.time.Duration;

/**
 * How long a run takes.
 *
 * @param ramp how long it runs at least before the measuring, so that caches are filled
 * @param longest how long it runs at most before the measuring, if there is still much to compile
 * @param window how long is measured
 */
public record Timing(Duration ramp, Duration longest, Duration window) {

    private static final Duration LONGEST_RAMP = Duration.ofSeconds(1);
    private static final Duration LONGEST_TRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_COMPILING = Duration.ofSeconds(30);
    private static final Duration LONGEST_WARMING = Duration.ofMillis(500);
    private static final int WINDOWS_OF_COMPILING = 10;

    /** A timing that does not wait for compilers. */
    public Timing(Duration ramp, Duration window) {
        this(ramp, ramp, window);
    }

    /**
     * A window, and before it a ramp of a quarter of it, but at most a second. While there is much
     * to compile, the ramp lasts for up to ten windows, but at most 30 seconds. A window of less
     * than a second is only a try and does not wait for compilers.
     */
    public static Timing window(Duration window) {
        Duration ramp = least(window.dividedBy(4), LONGEST_RAMP);
        return window.compareTo(LONGEST_TRY) < 0
                ? new Timing(ramp, window)
                : new Timing(
                        ramp,
                        least(window.multipliedBy(WINDOWS_OF_COMPILING), LONGEST_COMPILING),
                        window);
    }

    /** For a run whose figures are not used, before those that count. */
    public Timing warming() {
        return new Timing(Duration.ZERO, least(window.dividedBy(2), LONGEST_WARMING));
    }

    /**
     * The same window, after a ramp as long as this one may last for compilers, but at most {@code
     * most}.
     */
    public Timing compiled(Duration most) {
        return new Timing(least(longest, most), window);
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}

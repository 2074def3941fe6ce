// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.time.Duration;

/**
 * How long a run takes.
 *
 * @param ramp how long it runs before the measuring, at least, so that caches are filled
 * @param longest how long it does so at most while there is much to compile
 * @param window how long is measured
 */
public record Timing(Duration ramp, Duration longest, Duration window) {

    private static final Duration LONGEST_RAMP = Duration.ofSeconds(1);
    private static final Duration LONGEST_TRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_COMPILING = Duration.ofSeconds(30);
    private static final Duration LONGEST_WARMING = Duration.ofMillis(500);
    private static final int WINDOWS_OF_COMPILING = 10;

    /** One that waits for no compiler. */
    public Timing(Duration ramp, Duration window) {
        this(ramp, ramp, window);
    }

    /**
     * A window, and a quarter of it before, but at most a second; ten of them, but at most 30
     * seconds, while there is much to compile, unless it is so short that it is only a try.
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

    /** For a run that nobody looks at, in front of those that count. */
    public Timing warming() {
        return new Timing(Duration.ZERO, least(window.dividedBy(2), LONGEST_WARMING));
    }

    /** The same window after all the time that there is for compilers, but so long at most. */
    public Timing compiled(Duration most) {
        return new Timing(least(longest, most), window);
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.text;

import dev.slipring.Options;
import dev.slipring.graph.Backoff;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A duration as people write it: {@code 500ms}, {@code 30s}, {@code 10m}, {@code 2h}, {@code 1d}.
 */
public final class DurationText {

    private static final Pattern FORM = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)(ms|s|m|h|d)?");
    private static final BigDecimal MOST = BigDecimal.valueOf(Backoff.LONGEST.toMillis());

    private DurationText() {}

    /** Reads a duration; the unit must be there. */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || matcher.group(2) == null) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no duration; write it like 500ms, 30s, 10m or 2h");
        }
        return of(text, matcher.group(1), matcher.group(2));
    }

    /** Reads how long to wait: a number of seconds, a duration, or {@code forever}. */
    public static Duration parseWait(String text) {
        if (text.equals("forever")) {
            return Options.FOREVER;
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time to wait; write a number of seconds, or 'forever'");
        }
        return of(text, matcher.group(1), matcher.group(2) == null ? "s" : matcher.group(2));
    }

    private static Duration of(String text, String number, String unit) {
        long factor =
                switch (unit) {
                    case "ms" -> 1;
                    case "s" -> 1_000;
                    case "m" -> 60_000;
                    case "h" -> 3_600_000;
                    default -> 86_400_000;
                };
        BigDecimal millis = new BigDecimal(number).multiply(BigDecimal.valueOf(factor));
        if (millis.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' is too long; use "
                            + SizeText.showCount(Backoff.LONGEST.toDays())
                            + " days or less");
        }
        return Duration.ofMillis(millis.setScale(0, RoundingMode.UP).longValueExact());
    }

    /** Writes a duration for people: {@code 1.2s}, {@code 3m 20s}. */
    public static String show(Duration duration) {
        long millis = Math.abs(duration.toMillis());
        String sign = duration.isNegative() && millis > 0 ? "-" : "";
        if (millis < 1_000) {
            return sign + millis + "ms";
        }
        if (millis < 60_000) {
            String seconds = String.format(Locale.ROOT, "%.1f", Math.floor(millis / 100.0) / 10);
            return sign
                    + (seconds.endsWith(".0")
                            ? seconds.substring(0, seconds.length() - 2)
                            : seconds)
                    + "s";
        }
        long seconds = millis / 1_000;
        if (seconds < 3_600) {
            return sign + pair(seconds / 60, "m", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return sign + pair(seconds / 3_600, "h", seconds / 60 % 60, "m");
        }
        return sign + pair(seconds / 86_400, "d", seconds / 3_600 % 24, "h");
    }

    private static String pair(long large, String largeUnit, long small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : " " + small + smallUnit);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.text;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts and sizes as people write them: {@code 500K}, {@code 64MiB}, {@code 2G}. */
public final class SizeText {

    private static final Pattern FORM = Pattern.compile("([\\d_,]{1,24})([kKmMgGtT](?:iB|B)?|B)?");

    private SizeText() {}

    /** Reads a number of bytes; K, M, G and T are powers of 1,024. */
    public static long parseBytes(String text) {
        return parse(text, 1_024, "a number of bytes", "like 1000000, 512K, 64MiB or 2G");
    }

    /** Reads a number of messages; K, M, G and T are powers of 1,000. */
    public static long parseCount(String text) {
        return parse(text, 1_000, "a number of messages", "like 1000000, 500K or 2M");
    }

    private static long parse(String text, long base, String what, String like) {
        Matcher matcher = FORM.matcher(text);
        boolean plain = matcher.matches() && matcher.group(1).chars().anyMatch(Character::isDigit);
        if (!plain
                || (base == 1_000 && matcher.group(2) != null && matcher.group(2).endsWith("B"))) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not " + what + "; write it " + like);
        }
        String unit =
                matcher.group(2) == null
                        ? ""
                        : matcher.group(2).substring(0, 1).toUpperCase(Locale.ROOT);
        try {
            long size = Long.parseLong(matcher.group(1).replaceAll("[_,]", ""));
            for (int power = "KMGT".indexOf(unit.isEmpty() || unit.equals("B") ? "x" : unit);
                    power >= 0;
                    power--) {
                size = Math.multiplyExact(size, base);
            }
            return size;
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is too large for " + what, e);
        }
    }

    /** Writes a number of bytes for people: {@code 1 GiB}, {@code 17.3 KiB}. */
    public static String showBytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double size = bytes;
        int unit = 0;
        while (size >= 1_024 && unit < units.length - 1) {
            size /= 1_024;
            unit++;
        }
        String number =
                String.format(Locale.ROOT, unit == 0 || size >= 100 ? "%,.0f" : "%.1f", size);
        return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
                + " "
                + units[unit];
    }

    /** Writes a count for people: {@code 1,000,000}. */
    public static String showCount(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Writes a count with the word for what is counted: {@code 1 message}, {@code 2 messages}. */
    public static String count(long count, String word) {
        return showCount(count) + " " + word + (count == 1 ? "" : "s");
    }
}

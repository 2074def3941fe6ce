// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.text;

import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the numbers of options, and refuses wrong ones in words that do not speak of Java's types.
 */
public final class NumberText {

    private NumberText() {}

    /** The same command line, with options that read their numbers in this way. */
    public static CommandLine understoodBy(CommandLine commandLine) {
        return commandLine
                .registerConverter(int.class, NumberText::parseInt)
                .registerConverter(Integer.class, NumberText::parseInt)
                .registerConverter(long.class, NumberText::parseLong)
                .registerConverter(Long.class, NumberText::parseLong)
                .registerConverter(double.class, NumberText::parseDouble)
                .registerConverter(Double.class, NumberText::parseDouble);
    }

    private static int parseInt(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw noWhole(text, Integer.MAX_VALUE);
        }
    }

    private static long parseLong(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw noWhole(text, Long.MAX_VALUE);
        }
    }

    private static TypeConversionException noWhole(String text, long most) {
        return new TypeConversionException(
                "'" + text + "' is no whole number up to " + SizeText.showCount(most));
    }

    private static double parseDouble(String text) {
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw noNumber(text);
        }
        throw noNumber(text);
    }

    private static TypeConversionException noNumber(String text) {
        return new TypeConversionException("'" + text + "' is no number; write it like 5 or 0.5");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.util.regex.Pattern;

/**
 * Text that others have written, made safe for a terminal and a log: it stays on one line and moves
 * nothing.
 */
public final class PrintableText {

    /**
     * What a terminal obeys instead of showing it: control characters, those from 128 too, marks
     * that turn the direction of writing, and ends of lines.
     */
    private static final Pattern OBEYED = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

    private PrintableText() {}

    /** The text with a space for each character that a terminal would obey. */
    public static String of(String text) {
        return OBEYED.matcher(text).replaceAll(" ");
    }
}

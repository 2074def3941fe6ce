// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.util.regex.Pattern;

/** The rules for what a ring, a stage or a worker may be called, on every engine. */
public final class Names {

    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}");

    private static final Pattern WORKER = Pattern.compile("[^\\p{Cc}\\p{Cs}]{1,200}");

    private Names() {}

    /**
     * Returns the name if it is allowed.
     *
     * @param what what is named, for the error: "ring" or "stage"
     * @throws IllegalArgumentException if it is empty, longer than 63 characters, or has anything
     *     but ASCII letters, digits, '_', '-' and '.', or begins with '-' or '.'
     */
    public static String check(String what, String name) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " name is empty; " + rule());
        }
        if (!isAllowed(name)) {
            throw new IllegalArgumentException(
                    what + " name '" + shown(name) + "' is not allowed; " + rule());
        }
        return name;
    }

    /** Whether a ring or a stage may have the name. */
    public static boolean isAllowed(String name) {
        return ALLOWED.matcher(name).matches();
    }

    /**
     * Returns the name of a worker if it is allowed.
     *
     * @throws IllegalArgumentException if it is empty, longer than 200 characters, or has a control
     *     character or an unpaired surrogate
     */
    public static String checkWorker(String name) {
        if (name == null || !WORKER.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "worker name '"
                            + shown(String.valueOf(name))
                            + "' is not allowed; use 1 to 200 characters of text");
        }
        return name;
    }

    private static String rule() {
        return "use 1 to 63 letters A-Z or a-z, digits, '_', '-' or '.', not beginning with '-'"
                + " or '.'";
    }

    /**
     * A name for an error, which may stand in a log or on a terminal: not long, and on one line.
     */
    static String shown(String name) {
        String begin = name.length() <= 80 ? name : name.substring(0, 77) + "...";
        return PrintableText.of(begin);
    }
}

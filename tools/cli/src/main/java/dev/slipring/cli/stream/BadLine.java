// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

/** A line that cannot be pushed. The message gives its number; the lines before it were pushed. */
public final class BadLine extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** An error with the number of the line, from 1, and what is wrong with it. */
    public BadLine(long number, String why) {
        super("line " + number + " " + why);
    }
}

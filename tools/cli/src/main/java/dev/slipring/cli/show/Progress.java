// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.show;

import dev.slipring.cli.text.SizeText;

import java.io.PrintStream;

/**
 * A line on a terminal that says how far long work is: a count, a rate and, if the end is known, a
 * bar.
 */
public final class Progress implements AutoCloseable {

    private static final long FIRST_NANOS = 400_000_000;
    private static final long NEXT_NANOS = 100_000_000;
    private static final int BAR = 30;

    private final PrintStream terminal;
    private final String what;
    private final long whole;
    private final long start = System.nanoTime();
    private long next = start + FIRST_NANOS;
    private int shown;

    /**
     * Work that begins now.
     *
     * @param terminal where to show the progress, or null for nowhere
     * @param what the name of the work, as in "push orders"
     * @param whole how large the whole is; 0 if nobody knows
     */
    public Progress(PrintStream terminal, String what, long whole) {
        this.terminal = terminal;
        this.what = what;
        this.whole = whole;
    }

    /**
     * Shows how far the work is, but not too often.
     *
     * @param messages how many messages are through
     * @param part how much of {@code whole} is done
     */
    public void update(long messages, long part) {
        long now = System.nanoTime();
        if (terminal == null || next - now > 0) {
            return;
        }
        next = now + NEXT_NANOS;
        long rate = Math.round(messages / ((now - start) / 1e9));
        show(
                what
                        + "  "
                        + bar(part)
                        + SizeText.showCount(messages)
                        + " messages, "
                        + SizeText.showCount(rate)
                        + "/s");
    }

    private String bar(long part) {
        if (whole <= 0) {
            return "";
        }
        double share = Math.min((double) part / whole, 1);
        int full = (int) (share * BAR);
        return "["
                + "=".repeat(full)
                + (full < BAR ? ">" + " ".repeat(BAR - full - 1) : "")
                + "] "
                + Math.round(share * 100)
                + " %  ";
    }

    private void show(String line) {
        terminal.print("\r" + line + " ".repeat(Math.max(shown - line.length(), 0)));
        terminal.flush();
        shown = line.length();
    }

    /** Takes the line away. */
    @Override
    public void close() {
        if (shown > 0) {
            terminal.print("\r" + " ".repeat(shown) + "\r");
            terminal.flush();
        }
    }
}

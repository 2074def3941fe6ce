// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/**
 * How many rows with messages are read at a time: all together may be larger than the memory. The
 * first is read however large it is.
 *
 * @param max how many rows at most
 * @param maxBytes a portion ends with the row with which its messages have so many bytes
 */
public record Portion(int max, long maxBytes) {

    /** Rows with no more messages than a claim may have. */
    static Portion of(int max) {
        return new Portion(max, Deliveries.MAX_BYTES);
    }

    /** Whether so many rows, with so many bytes, are all that it may have. */
    public boolean isFull(int rows, long bytes) {
        return rows >= max || bytes >= maxBytes;
    }

    /** What is left of it behind so many rows with so many bytes. */
    Portion less(int rows, long bytes) {
        return new Portion(max - rows, maxBytes - bytes);
    }

    /** Twice as much. */
    Portion twice() {
        return new Portion((int) Math.min(2L * max, Integer.MAX_VALUE), 2 * maxBytes);
    }
}

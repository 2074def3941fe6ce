// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * Indices that one thread claimed together. A thread makes one and uses it again and again: {@link
 * Sequence#next(Range, int)} sets it.
 */
public final class Range {

    private long first;
    private long last = -1;

    /** A range of nothing. */
    public Range() {}

    /** The first index. */
    public long first() {
        return first;
    }

    /** The last index, inclusive. */
    public long last() {
        return last;
    }

    /** How many. */
    public int size() {
        return (int) (last - first + 1);
    }

    void set(long newFirst, long newLast) {
        first = newFirst;
        last = newLast;
    }

    @Override
    public String toString() {
        return first + " to " + last;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.util.List;

/**
 * The bodies that one thread pushes, in the order of their numbers. Used by one thread; any thread
 * may read how many were pushed.
 */
public final class Source {

    /** Room for more numbers than one thread will ever push. */
    private static final int SHIFT = 40;

    private final long first;
    private volatile long pushed;

    /** The source with a number, from 0; no two sources have a body in common. */
    public Source(int number) {
        this.first = (long) number << SHIFT;
    }

    /** The source that a body belongs to. */
    public static int of(long bodyNumber) {
        return (int) (bodyNumber >>> SHIFT);
    }

    /** How many bodies of the same source came before a body. */
    public static long before(long bodyNumber) {
        return bodyNumber & ((1L << SHIFT) - 1);
    }

    /** The next bodies; the same ones again until {@link #pushed} is called for them. */
    public List<byte[]> next(int count) {
        return Bodies.bodies(first + pushed, count);
    }

    /** Counts this many more as pushed. */
    public void pushed(int count) {
        long before = pushed;
        pushed = before + count;
    }

    /** How many were pushed. */
    public long count() {
        return pushed;
    }

    /** The hash of one of its bodies. */
    long hash(long before) {
        return Bodies.hash(Bodies.body(first + before), Bodies.BYTES);
    }

    /** The sum of the hashes of the first {@code count} bodies. */
    public long sum(long count) {
        long sum = 0;
        for (long number = first; number < first + count; number++) {
            sum += hash(number - first);
        }
        return sum;
    }
}

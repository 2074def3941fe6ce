// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.util.List;

/**
 * The bodies that one thread pushes, in the order of their numbers. One thread takes, any may read
 * how many were pushed.
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

    /** The source that a body is of. */
    public static int of(long bodyNumber) {
        return (int) (bodyNumber >>> SHIFT);
    }

    /** How many bodies of its source came before a body. */
    public static long before(long bodyNumber) {
        return bodyNumber & ((1L << SHIFT) - 1);
    }

    /** The next bodies; the same again until {@link #pushed} was called for them. */
    public List<byte[]> next(int count) {
        return Bodies.bodies(first + pushed, count);
    }

    /** So many more were pushed. */
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

    /** The sum of the hashes of the first so many bodies. */
    public long sum(long count) {
        long sum = 0;
        for (long number = first; number < first + count; number++) {
            sum += hash(number - first);
        }
        return sum;
    }
}

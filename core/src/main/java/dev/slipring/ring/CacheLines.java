// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * The fields of a sequence that are written often, each on cache lines of its own: {@code value},
 * which others poll, and {@code limit}, which its owner writes. Superclasses come first in memory,
 * so a chain of classes keeps the distance; it is 128 bytes, as processors fetch lines in pairs. A
 * test reads the layout back.
 */
final class CacheLines {

    private CacheLines() {}

    /** A distance from what stands before in memory. */
    abstract static non-sealed class Before extends Barrier {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af;
    }

    /** How far a sequence is: what it published, or claimed where several claim. */
    abstract static class Value extends Before {
        long value = -1;
    }

    /** A distance. */
    abstract static class Between extends Value {
        long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf;
    }

    /** The last index that is known to be free to use, and what was learnt from waiting. */
    abstract static class Limit extends Between {
        long limit = -1;
        long slack;
    }

    /** A distance from what stands behind. */
    abstract static class After extends Limit {
        long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, ca, cb, cc, cd, ce, cf;
    }
}

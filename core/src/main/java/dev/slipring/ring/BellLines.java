// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * The fields of a bell on cache lines that hold nothing else, as {@link CacheLines} does it for
 * sequences.
 */
final class BellLines {

    private BellLines() {}

    /** A distance from what stands before in memory. */
    abstract static class Before {
        // Fills what the header leaves, or a small field of a subclass would go there.
        int a;
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af;
    }

    /** What the bell knows. */
    abstract static class Fields extends Before {
        long wakeAt = Bell.NOBODY;
        Waiter waiters;

        /** The errands of the ringer; 0 if nobody rings. */
        int errands;

        /**
         * The least index that those wait for whom the ringer put back; used by the ringer only.
         */
        long due;
    }

    /** A distance from what stands behind. */
    abstract static class After extends Fields {
        long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf;
    }
}

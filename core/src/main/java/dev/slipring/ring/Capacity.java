// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/** How many slots a ring may have: a power of two, 1 to 2^30. */
final class Capacity {

    private Capacity() {}

    static int check(int capacity) {
        if (capacity < 1 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException(
                    "a ring of "
                            + capacity
                            + " slots: use a power of two, 1 to 1,073,741,824"
                            + (capacity > 1 && capacity < 1 << 30
                                    ? ", such as " + Integer.highestOneBit(capacity) * 2
                                    : ""));
        }
        return capacity;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/** The sequence that several consumers share: each index goes to one of them. Thread-safe. */
public final class MCSequence extends MultiSequence {

    /**
     * The consumers of a ring.
     *
     * @param capacity how many slots the ring has, a power of two
     */
    public MCSequence(int capacity) {
        super(false, capacity);
    }
}

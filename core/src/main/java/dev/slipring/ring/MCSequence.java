// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/** The sequence that several consumers share: each index goes to one of them. Thread-safe. */
public final class MCSequence extends MultiSequence {

    /**
     * The consumers of a ring.
     *
     * @param capacity how many slots the ring has, a power of two up to 2<sup>30</sup>
     * @throws IllegalArgumentException if it is no such number
     */
    public MCSequence(int capacity) {
        super(false, capacity);
    }
}

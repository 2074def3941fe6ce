// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/** The sequence that several producers share. Thread-safe. */
public final class MPSequence extends MultiSequence implements AutoCloseable {

    /**
     * The producers of a ring.
     *
     * @param capacity how many slots the ring has, a power of two up to 2<sup>30</sup>
     * @throws IllegalArgumentException if it is no such number
     */
    public MPSequence(int capacity) {
        super(true, capacity);
    }

    /**
     * Ends the stream: {@link #next} is {@link #CLOSED} from now on, for every producer. What was
     * claimed before is still to be done; consumers get it and then learn of the end.
     */
    @Override
    public void close() {
        circuit().end(endClaims());
    }

    @Override
    void end() {
        close();
    }
}

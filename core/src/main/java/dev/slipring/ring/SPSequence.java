// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * The sequence of a single producer. Its methods are for that one thread, but for {@link #stop},
 * which any may call.
 */
public final class SPSequence extends SingleSequence implements AutoCloseable {

    private final int capacity;

    /**
     * The producer of a ring.
     *
     * @param capacity how many slots the ring has, a power of two up to 2<sup>30</sup>
     * @throws IllegalArgumentException if it is no such number
     */
    public SPSequence(int capacity) {
        super(true);
        this.capacity = Capacity.check(capacity);
    }

    /**
     * Ends the stream: {@link #next} is {@link #CLOSED} from now on; consumers get what is in the
     * ring and then learn it.
     */
    @Override
    public void close() {
        circuit().end(value);
        LIMIT.setOpaque(this, NONE);
    }

    @Override
    int capacity() {
        return capacity;
    }

    @Override
    void end() {
        close();
    }
}

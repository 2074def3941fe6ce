// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/** The sequence of a single consumer. All but wiring is for one thread. */
public final class SCSequence extends SingleSequence {

    /** A consumer from the first index on. */
    public SCSequence() {
        this(-1);
    }

    /**
     * A consumer that begins behind an index.
     *
     * @param current the last index that it does not see. A consumer that joins a running graph
     *     begins where that is, whatever stands here
     */
    public SCSequence(long current) {
        super(false);
        position(current);
    }

    @Override
    int capacity() {
        return 0;
    }
}

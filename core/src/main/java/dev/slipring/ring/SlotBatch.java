// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.function.Consumer;

/**
 * A batch of slots, which one thread may use now. One object serves all batches of a thread.
 *
 * @param <T> what a slot is
 */
public final class SlotBatch<T> {

    private final RingQueue<T> queue;
    private final boolean[] hollow;
    private final Range range;

    SlotBatch(RingQueue<T> queue, boolean[] hollow, Range range) {
        this.queue = queue;
        this.hollow = hollow;
        this.range = range;
    }

    /** How many indices there are; of some the producer may have failed, see {@link #forEach}. */
    public int size() {
        return range.size();
    }

    /** Calls for each slot, in order; those are left out whose producer failed. */
    public void forEach(Consumer<? super T> use) {
        for (long cursor = range.first(); cursor <= range.last(); cursor++) {
            if (!isHollow(cursor)) {
                use.accept(queue.get(cursor));
            }
        }
    }

    boolean isHollow(long cursor) {
        return hollow[(int) cursor & (hollow.length - 1)];
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.function.Supplier;

/**
 * The slots of a ring: as many objects as it has room for, made once. It coordinates nothing; which
 * thread may touch which slot is the business of the {@linkplain Sequence sequences}.
 *
 * @param <T> what a slot is
 */
public final class RingQueue<T> {

    private final T[] slots;

    /**
     * A ring of slots.
     *
     * @param factory makes a slot; called once for each
     * @param capacity how many slots, a power of two up to 2<sup>30</sup>
     * @throws IllegalArgumentException if it is no such number
     */
    public RingQueue(Supplier<? extends T> factory, int capacity) {
        Capacity.check(capacity);
        @SuppressWarnings("unchecked")
        T[] made = (T[]) new Object[capacity];
        for (int i = 0; i < capacity; i++) {
            made[i] = factory.get();
        }
        this.slots = made;
    }

    /** The slot of an index that a sequence gave; the index may be any from 0 on. */
    public T get(long cursor) {
        // In this form the compiler sees that the index is within the array.
        return slots[(int) cursor & (slots.length - 1)];
    }

    /** How many slots. */
    public int getCapacity() {
        return slots.length;
    }
}

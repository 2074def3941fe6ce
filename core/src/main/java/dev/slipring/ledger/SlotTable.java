// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.Slot;
import dev.slipring.graph.Shape;

import java.util.List;

/** Lanes to which slots are appended and from which they are read; how far producers are. */
public interface SlotTable extends LaneTable {

    /**
     * Locks the heads of the slots' lanes for this transaction, which is about to append to them.
     * If somebody else has a lane locked, slots without keys may go to one that is free. Where
     * little room is left it locks all lanes: a push into another one that has not committed yet is
     * not seen.
     *
     * @return the slots, with the lanes that they go to
     */
    default List<Slot> place(Shape shape, List<Slot> slots) {
        return slots;
    }

    /** Adds a slot. */
    void append(long ring, SlotRow slot);

    /**
     * The slots that hold positions from {@code from} to before {@code to}, in order, as far as
     * their bodies have {@code maxBytes} together, but at least one.
     */
    List<SlotRow> slots(long ring, int lane, long from, long to, long maxBytes);

    /**
     * The greatest number that a producer has pushed; 0 if none. Waits for a push of the producer
     * that is under way in another transaction: it may be the same one, whose connection was lost,
     * on its way to another lane. Until this transaction ends the producer can push in no other.
     */
    long pushed(long ring, long producer);

    /**
     * Keeps the greatest number that a producer has pushed; forgets producers not seen for long.
     */
    void putPushed(long ring, long producer, long number);
}

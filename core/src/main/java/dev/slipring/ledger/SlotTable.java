// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.StoreFailed;
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
     * The slots that hold positions of a range, in order, as far as their bodies have {@code
     * maxBytes} together, but at least one.
     */
    List<SlotRow> slots(long ring, LaneRange range, long maxBytes);

    /**
     * The same up to one that is lost.
     *
     * @throws StoreFailed if that is the first
     */
    default List<SlotRow> wholeSlots(Shape shape, LaneRange range, long maxBytes) {
        List<SlotRow> slots = slots(shape.id(), range, maxBytes);
        int whole = 0;
        long next = range.from();
        while (whole < slots.size() && slots.get(whole).isWholeAt(next)) {
            next = slots.get(whole++).end();
        }
        if (whole == 0) {
            throw SlotMissing.first(shape, range, slots);
        }
        return slots.subList(0, whole);
    }

    @Override
    default boolean finds(Shape shape, ClaimRow claim) {
        List<SlotRow> found = slots(shape.id(), LaneRange.at(claim.lane(), claim.from()), 1);
        return !found.isEmpty() && found.get(0).isWholeAt(claim.from());
    }

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

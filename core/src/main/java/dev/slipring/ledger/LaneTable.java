// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.Slot;
import dev.slipring.graph.Shape;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Lanes, the slots in them, and how far producers are. */
public interface LaneTable {

    /**
     * Locks the heads of the slots' lanes for this transaction, which is about to append to them.
     * If somebody else has a lane locked, slots without keys may go to one that is free.
     *
     * @return the slots, with the lanes that they go to
     */
    default List<Slot> place(Shape shape, List<Slot> slots) {
        return slots;
    }

    /** The lanes of a ring, in order. */
    List<LaneRow> all(long ring);

    /** Adds or replaces a lane. */
    void put(long ring, LaneRow lane);

    /** Adds a slot. */
    void append(long ring, SlotRow slot);

    /**
     * The slots that hold positions from {@code from} to before {@code to}, in order, as far as
     * their bodies have {@code maxBytes} together, but at least one.
     */
    List<SlotRow> slots(long ring, int lane, long from, long to, long maxBytes);

    /** Removes the slots that lie wholly below a position; returns how many bytes they held. */
    long release(long ring, int lane, long below);

    /** The first position held; empty if none is. */
    OptionalLong oldest(long ring, int lane);

    /** The first position held that was pushed at a time or later; empty if there is none. */
    OptionalLong pushedSince(long ring, int lane, long time);

    /** When what stands at a position was pushed; empty if nothing stands there. */
    OptionalLong pushedAt(long ring, int lane, long position);

    /** Shows every slot of a lane, in order. */
    void each(long ring, int lane, Consumer<SlotRow> reader);

    /**
     * Whether there may be a gap in front of a slot: pushes before it were rolled back, and its own
     * push could not see where the slot before it ends.
     */
    default boolean isBehindGap(SlotRow slot) {
        return false;
    }

    /** The greatest number that a producer has pushed; 0 if none. */
    long pushed(long ring, long producer);

    /**
     * Keeps the greatest number that a producer has pushed; forgets producers not seen for long.
     */
    void putPushed(long ring, long producer, long number);
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/** The rows of all rings of a store, in one transaction. Used by one thread at a time. */
public interface Rows {

    /** The store's clock, in milliseconds since 1970. */
    long now();

    /**
     * Keeps a lane's strands, claims and rows set aside to this transaction, and waits until no
     * other has them. An engine whose transactions are one after the other has nothing to do.
     */
    default void hold(long ring, int lane) {}

    /**
     * Like {@link #hold}, but without waiting. What was read of the lane before may have changed;
     * if this is false the lane is shown from now on as if there were nothing to hand out.
     */
    default boolean take(long ring, int lane) {
        return true;
    }

    /** Whether {@link #take} left out a lane, in which there may be something to hand out. */
    default boolean leftOut(long ring) {
        return false;
    }

    /** Keeps a whole ring to this transaction, what is pushed included. */
    default void holdAll(long ring) {}

    /** Rings and their shapes. */
    RingTable rings();

    /** Lanes, slots and producers. */
    LaneTable lanes();

    /** Stages in lanes, and the claims on them. */
    StrandTable strands();

    /** Messages set aside, dead or dropped. */
    AsideTable aside();
}

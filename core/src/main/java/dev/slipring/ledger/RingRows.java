// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/**
 * The rows of all rings of a store, in one transaction: what one needs to look after a ring. {@link
 * Rows} are those on which messages go, too. Used by one thread at a time.
 */
public interface RingRows {

    /** The store's clock, in milliseconds since 1970. */
    long now();

    /**
     * Locks a whole ring for this transaction, against pushes too. Where several transactions run
     * at once, this and the other locks ({@link Rows#hold}, {@link Rows#take}, {@link
     * SlotTable#place}) also see to it, once they are had, that the ring has the version of the
     * shape that was found; if not, the engine runs the work again from its beginning.
     */
    default void holdAll(long ring) {}

    /** Rings and their shapes. */
    RingTable rings();

    /** Lanes, and what they hold. */
    LaneTable lanes();

    /** Stages in lanes, and what is in hand there. */
    StrandTable strands();

    /** Messages set aside, dead or dropped. */
    AsideTable aside();
}

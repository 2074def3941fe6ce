// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/**
 * The rows of all rings of a store, in one transaction: what one needs to look after a ring. {@link
 * Rows} are those on which messages go, too. Used by one thread at a time.
 */
public interface RingRows {

    /** The store's clock, in milliseconds since 1970. */
    long now();

    /** Locks a whole ring for this transaction, against pushes too. */
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

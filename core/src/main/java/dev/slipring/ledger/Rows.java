// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/** The rows of all rings of a store, in one transaction. Used by one thread at a time. */
public interface Rows {

    /** The store's clock, in milliseconds since 1970. */
    long now();

    /** Rings and their shapes. */
    RingTable rings();

    /** Lanes, slots and producers. */
    LaneTable lanes();

    /** Stages in lanes, and the claims on them. */
    StrandTable strands();

    /** Messages set aside, dead or dropped. */
    AsideTable aside();
}

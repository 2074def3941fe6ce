// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/**
 * The rows of all rings of a store, in one transaction, on which messages are pushed, claimed and
 * settled. Used by one thread at a time.
 */
public interface Rows extends RingRows {

    /**
     * Locks a lane's strands, claims and rows set aside for this transaction, and waits while
     * another one has them locked. An engine that runs one transaction at a time has nothing to do.
     */
    default void hold(long ring, int lane) {}

    /**
     * Like {@link #hold}, but does not wait: false if another transaction has the lane. If true,
     * what was read of the lane before may have changed. If false, the lane is shown from now on as
     * if there were nothing in it to hand out: by {@link StrandTable#claims}, {@link
     * ClaimTable#firstToExpire}, {@link AsideTable#nextDue} and {@link AsideTable#due}. A claim
     * looks again until they show nothing.
     */
    default boolean take(long ring, int lane) {
        return true;
    }

    /**
     * Whether {@link #take} was false for a lane, in which there may be something to hand out all
     * the same.
     */
    default boolean leftOut(long ring) {
        return false;
    }

    /** Lanes, slots and producers. */
    @Override
    SlotTable lanes();

    /** Stages in lanes, and the claims on them. */
    @Override
    ClaimTable strands();
}

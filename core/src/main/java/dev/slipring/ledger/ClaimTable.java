// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/** Strands on which claims are made. */
public interface ClaimTable extends StrandTable {

    /** A claim; null if it is not in hand any more. */
    ClaimRow claim(long ring, String stage, int lane, long epoch);

    /** The claim of a stage whose lease runs out first; null if there is none. */
    ClaimRow firstToExpire(long ring, String stage);

    /** Adds or replaces a claim. */
    void putClaim(long ring, ClaimRow claim);
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.RingBroken;
import dev.slipring.graph.Shape;

import java.util.List;
import java.util.OptionalLong;

/** Stages in lanes, and what is in hand there. */
public interface StrandTable {

    /** The strands of a stage, by lane. */
    List<Strand> of(long ring, String stage);

    /** The strand of a stage in a lane; null if its row is lost. */
    Strand get(long ring, String stage, int lane);

    /**
     * The strand of a stage in a lane.
     *
     * @throws RingBroken if it is not there
     */
    default Strand there(Shape shape, String stage, int lane) {
        Strand strand = get(shape.id(), stage, lane);
        if (strand == null) {
            throw Strand.lost(shape, stage);
        }
        return strand;
    }

    /** Adds or replaces a strand. */
    void put(long ring, Strand strand);

    /** Removes a stage's strands and claims. */
    void delete(long ring, String stage);

    /** The lowest done of all stages in a lane. */
    long gate(Shape shape, int lane);

    /** A stage's claims, in any order. */
    List<ClaimRow> claims(long ring, String stage);

    /**
     * Whether a claim ends where its stage has claimed in that moment, even if the last of that was
     * passed over, as another stage keeps it; else it ends behind its last message.
     */
    default boolean claimsEndBehindWhatIsKept() {
        return true;
    }

    /** The lowest position claimed and not settled in a lane. */
    OptionalLong lowest(long ring, String stage, int lane);

    /**
     * Whether a message that a stage has passed by is on its way to it, and its strands do not
     * count it yet.
     */
    default boolean isComing(long ring, String stage) {
        return false;
    }

    /** Removes a claim. */
    void deleteClaim(long ring, ClaimRow claim);
}

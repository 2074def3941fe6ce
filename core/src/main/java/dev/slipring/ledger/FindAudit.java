// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Whether the stages find the messages of a lane: each begins to look where it stands. */
final class FindAudit {

    private final RingRows rows;
    private final Shape shape;
    private final LaneRow lane;
    private final List<String> astray = new ArrayList<>();

    FindAudit(RingRows rows, Shape shape, LaneRow lane) {
        this.rows = rows;
        this.shape = shape;
        this.lane = lane;
    }

    /** What would not be found, in words. */
    List<String> findings() {
        for (String stage : shape.spec().stages().names()) {
            Strand strand = rows.strands().get(shape.id(), stage, lane.lane());
            if (strand != null) {
                if (strand.claimed() < lane.head() && !rows.lanes().finds(shape, next(strand))) {
                    astray.add(
                            StrandAudit.name(stage, lane.lane())
                                    + ": the message at "
                                    + strand.claimed()
                                    + " is there, but the next claim looks for it elsewhere;"
                                    + " rewind the stage");
                }
                claims(stage);
            }
        }
        return astray;
    }

    private void claims(String stage) {
        for (ClaimRow claim : rows.strands().claims(shape.id(), stage)) {
            if (claim.lane() == lane.lane() && !rows.lanes().finds(shape, claim)) {
                astray.add(
                        HandAudit.name(claim)
                                + ": its messages are there, but what is said of it, or a claim"
                                + " after its lease, looks for them elsewhere; rewind the stage");
            }
        }
    }

    /** What the next claim of a stage would begin with. */
    private static ClaimRow next(Strand strand) {
        long at = strand.claimed();
        return new ClaimRow(
                strand.stage(),
                strand.lane(),
                strand.epoch() + 1,
                at,
                at + 1,
                new BitSet(),
                1,
                "",
                0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.Mode;
import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Whether the claims of a stage can be. */
final class HandAudit {

    private final RingRows rows;
    private final Shape shape;
    private final String stage;
    private final List<String> broken = new ArrayList<>();

    HandAudit(RingRows rows, Shape shape, String stage) {
        this.rows = rows;
        this.shape = shape;
        this.stage = stage;
    }

    /** What is broken, in words. */
    List<String> findings() {
        List<ClaimRow> claims =
                rows.strands().claims(shape.id(), stage).stream()
                        .sorted(
                                Comparator.comparingInt(ClaimRow::lane)
                                        .thenComparingLong(ClaimRow::from))
                        .toList();
        ClaimRow before = null;
        for (ClaimRow claim : claims) {
            if (StrandAudit.hasStrands(rows, shape, List.of(stage), claim.lane())) {
                boolean isFirst = before == null || before.lane() != claim.lane();
                claim(claim, isFirst ? null : before);
                before = claim;
            }
        }
        return broken;
    }

    private void expect(boolean holds, ClaimRow claim, String otherwise) {
        if (!holds) {
            broken.add(name(claim) + " " + otherwise);
        }
    }

    /** How findings name a claim. */
    static String name(ClaimRow claim) {
        return "stage '" + claim.stage() + "', the claim at " + claim.lane() + "-" + claim.from();
    }

    private void claim(ClaimRow claim, ClaimRow before) {
        Strand strand = rows.strands().get(shape.id(), stage, claim.lane());
        expect(
                claim.from() < claim.to() && claim.to() <= strand.claimed(),
                claim,
                "ends at " + claim.to() + ", behind what is claimed");
        expect(claim.epoch() <= strand.epoch(), claim, "has an epoch from the future");
        expect(claim.attempt() >= 0, claim, "had " + claim.attempt() + " attempts");
        expect(claim.holds(claim.from()), claim, "begins with what is settled");
        expect(before == null || before.to() <= claim.from(), claim, "overlaps the one before it");
        if (shape.spec().stages().get(stage).mode() == Mode.ORDERED) {
            boolean ends =
                    claim.to() == strand.claimed() || !rows.strands().claimsEndBehindWhatIsKept();
            expect(
                    before == null && ends,
                    claim,
                    "ends at "
                            + claim.to()
                            + ", and what is claimed at "
                            + strand.claimed()
                            + ", although an ordered stage has one claim at a time");
        }
        if (claim.from() < claim.to() && strand.keeps()) {
            held(claim);
        }
    }

    /** What is in a claim and not settled is in no row of its own. */
    private void held(ClaimRow claim) {
        LaneRange range = new LaneRange(claim.lane(), claim.from(), claim.to());
        Optional<Long> twice =
                rows.aside().positions(shape.id(), List.of(stage), range).stream()
                        .filter(claim::holds)
                        .findFirst();
        expect(
                twice.isEmpty(),
                claim,
                "has the message at " + twice.orElse(0L) + ", which is set aside or dead as well");
    }
}

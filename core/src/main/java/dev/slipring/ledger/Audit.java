// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Whether a ring stands right: every invariant of the ledger, checked against the rows. */
final class Audit {

    private final RingRows rows;
    private final Shape shape;
    private final List<String> broken = new ArrayList<>();

    Audit(RingRows rows, Shape shape) {
        this.rows = rows;
        this.shape = shape;
    }

    /** What is broken, in words. */
    List<String> findings() {
        List<LaneRow> lanes = rows.lanes().all(shape.id());
        expect(
                lanes.size() == shape.spec().lanes(),
                "there are " + lanes.size() + " lanes, not " + shape.spec().lanes());
        for (LaneRow lane : lanes) {
            broken.addAll(new LaneAudit(rows, shape, lane).findings());
            for (String stage : shape.spec().stages().names()) {
                strand(lane, stage, rows.strands().get(shape.id(), stage, lane.lane()));
            }
        }
        shape.spec().stages().names().forEach(this::claims);
        shape.spec().stages().names().forEach(this::aside);
        return broken;
    }

    private void expect(boolean holds, String otherwise) {
        if (!holds) {
            broken.add(otherwise);
        }
    }

    private void strand(LaneRow lane, String stage, Strand strand) {
        if (strand == null) {
            broken.add("stage '" + stage + "', lane " + lane.lane() + ": there is no strand");
            return;
        }
        String name = "stage '" + strand.stage() + "', lane " + lane.lane();
        expect(
                strand.done() <= strand.claimed() && strand.claimed() <= lane.head(),
                name
                        + ": done "
                        + strand.done()
                        + ", claimed "
                        + strand.claimed()
                        + ", head "
                        + lane.head()
                        + " are out of order");
        expect(
                strand.done() <= strand.high() && strand.high() <= lane.head(),
                name
                        + ": high is "
                        + strand.high()
                        + ", and not between done "
                        + strand.done()
                        + " and head "
                        + lane.head());
        long lowest =
                rows.strands()
                        .lowest(shape.id(), strand.stage(), lane.lane())
                        .orElse(strand.claimed());
        expect(
                lowest == strand.done(),
                name + ": done is " + strand.done() + ", the lowest claim at " + lowest);
        if (hasStrands(shape.spec().stages().ancestors(strand.stage()), lane.lane())) {
            follows(lane, strand, name);
        }
    }

    /**
     * Whether stages have their strands in a lane. One that is missing is reported once, for its
     * own stage.
     */
    private boolean hasStrands(Collection<String> stages, int lane) {
        return stages.stream()
                .allMatch(stage -> rows.strands().get(shape.id(), stage, lane) != null);
    }

    private void follows(LaneRow lane, Strand strand, String name) {
        long limit = Math.max(strand.start(), FollowRule.limit(rows, shape, strand.stage(), lane));
        expect(
                strand.claimed() <= limit,
                name
                        + ": it claimed "
                        + strand.claimed()
                        + ", the stages that it follows are done with "
                        + limit);
    }

    private void claims(String stage) {
        List<ClaimRow> claims =
                rows.strands().claims(shape.id(), stage).stream()
                        .filter(claim -> hasStrands(List.of(stage), claim.lane()))
                        .sorted(
                                Comparator.comparingInt(ClaimRow::lane)
                                        .thenComparingLong(ClaimRow::from))
                        .toList();
        for (int i = 0; i < claims.size(); i++) {
            ClaimRow claim = claims.get(i);
            Strand strand = rows.strands().get(shape.id(), stage, claim.lane());
            String name =
                    "stage '" + stage + "', the claim at " + claim.lane() + "-" + claim.from();
            expect(
                    claim.from() < claim.to() && claim.to() <= strand.claimed(),
                    name + " ends at " + claim.to() + ", behind what is claimed");
            expect(claim.epoch() <= strand.epoch(), name + " has an epoch from the future");
            expect(claim.holds(claim.from()), name + " begins with what is settled");
            boolean apart =
                    i == 0
                            || claims.get(i - 1).lane() != claim.lane()
                            || claims.get(i - 1).to() <= claim.from();
            expect(apart, name + " overlaps the one before it");
        }
    }

    private void aside(String stage) {
        count(stage, AsideRow.State.WAITING, Strand::waiting);
        count(stage, AsideRow.State.DEAD, Strand::dead);
        count(stage, AsideRow.State.DROPPED, Strand::dropped);
    }

    private void count(String stage, AsideRow.State state, ToLongFunction<Strand> expected) {
        Map<Integer, Long> byLane = new HashMap<>();
        AsidePages.all(rows, shape, stage, state)
                .forEach(
                        row -> {
                            byLane.merge(row.lane(), 1L, Long::sum);
                            expect(
                                    state == AsideRow.State.DROPPED || isMessage(row),
                                    name(stage, row.lane())
                                            + ": the message kept for "
                                            + row.lane()
                                            + "-"
                                            + row.position()
                                            + " cannot be read");
                        });
        for (Strand strand : rows.strands().of(shape.id(), stage)) {
            long found = byLane.getOrDefault(strand.lane(), 0L);
            expect(
                    found == expected.applyAsLong(strand),
                    name(stage, strand.lane())
                            + ": "
                            + found
                            + " messages are "
                            + state.name().toLowerCase(Locale.ROOT)
                            + ", not "
                            + expected.applyAsLong(strand));
        }
    }

    private static String name(String stage, int lane) {
        return "stage '" + stage + "', lane " + lane;
    }

    private static boolean isMessage(AsideRow row) {
        try {
            return SlotCodec.count(row.message()) == 1
                    && SlotCodec.decode(row.message(), 0) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}

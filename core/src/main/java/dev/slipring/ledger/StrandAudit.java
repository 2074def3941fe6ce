// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Whether the sequences and counters of a stage in a lane can be. */
final class StrandAudit {

    private final RingRows rows;
    private final Shape shape;
    private final LaneRow lane;
    private final Strand strand;
    private final String name;
    private final List<String> broken = new ArrayList<>();

    StrandAudit(RingRows rows, Shape shape, LaneRow lane, String stage) {
        this.rows = rows;
        this.shape = shape;
        this.lane = lane;
        strand = rows.strands().get(shape.id(), stage, lane.lane());
        name = name(stage, lane.lane());
    }

    /** How findings name a stage in a lane. */
    static String name(String stage, int lane) {
        return "stage '" + stage + "', lane " + lane;
    }

    /** What is broken, in words. */
    List<String> findings() {
        if (strand == null) {
            broken.add(name + ": there is no strand");
            return broken;
        }
        sequences();
        long lowest =
                rows.strands()
                        .lowest(shape.id(), strand.stage(), lane.lane())
                        .orElse(strand.claimed());
        expect(
                lowest == strand.done(),
                "done is " + strand.done() + ", the lowest claim at " + lowest);
        if (hasStrands(rows, shape, shape.spec().stages().ancestors(strand.stage()), lane.lane())) {
            follows();
        }
        counters();
        return broken;
    }

    private void expect(boolean holds, String otherwise) {
        if (!holds) {
            broken.add(name + ": " + otherwise);
        }
    }

    private void sequences() {
        expect(
                strand.done() <= strand.claimed() && strand.claimed() <= lane.head(),
                "done "
                        + strand.done()
                        + ", claimed "
                        + strand.claimed()
                        + ", head "
                        + lane.head()
                        + " are out of order");
        expect(
                strand.done() <= strand.high() && strand.high() <= lane.head(),
                "high is "
                        + strand.high()
                        + ", and not between done "
                        + strand.done()
                        + " and head "
                        + lane.head());
        expect(
                strand.start() >= 0 && strand.start() <= strand.done(),
                "it started at "
                        + strand.start()
                        + ", and not between 0 and done "
                        + strand.done());
        expect(strand.epoch() >= 0, "its last epoch is " + strand.epoch());
    }

    /**
     * Whether stages have their strands in a lane. One that is missing is reported once, for its
     * own stage.
     */
    static boolean hasStrands(RingRows rows, Shape shape, Collection<String> stages, int lane) {
        return stages.stream()
                .allMatch(stage -> rows.strands().get(shape.id(), stage, lane) != null);
    }

    private void follows() {
        long limit = Math.max(strand.start(), FollowRule.limit(rows, shape, strand.stage(), lane));
        expect(
                strand.claimed() <= limit,
                "it claimed "
                        + strand.claimed()
                        + ", the stages that it follows are done with "
                        + limit);
    }

    private void counters() {
        expect(
                strand.redelivered() >= 0 && strand.failed() >= 0,
                "it counts "
                        + strand.redelivered()
                        + " messages that were handed out again, and "
                        + strand.failed()
                        + " failures");
    }
}

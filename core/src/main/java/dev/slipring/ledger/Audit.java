// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whether a ring stands right: every invariant of the ledger, checked against the rows. */
final class Audit {

    private final RingRows rows;
    private final Shape shape;

    Audit(RingRows rows, Shape shape) {
        this.rows = rows;
        this.shape = shape;
    }

    /** What is broken, in words. */
    List<String> findings() {
        List<String> broken = new ArrayList<>();
        Map<Integer, LaneRow> lanes = new TreeMap<>();
        rows.lanes().all(shape.id()).forEach(lane -> lanes.put(lane.lane(), lane));
        int wanted = shape.spec().lanes();
        if (lanes.size() != wanted) {
            broken.add("there are " + lanes.size() + " lanes, not " + wanted);
        }
        List<String> hands = new ArrayList<>();
        for (String stage : shape.spec().stages().names()) {
            hands.addAll(new HandAudit(rows, shape, stage).findings());
        }
        KeptMessages kept = new KeptMessages(rows, shape);
        List<String> aside = new ArrayList<>();
        for (String stage : shape.spec().stages().names()) {
            aside.addAll(new AsideAudit(rows, shape, lanes, stage, kept).findings());
        }
        for (LaneRow lane : lanes.values()) {
            // Before all slots of the lane are read: that shows where each of them is.
            List<String> astray = new FindAudit(rows, shape, lane).findings();
            List<String> ofLane = new LaneAudit(rows, shape, lane, kept).findings();
            for (String stage : shape.spec().stages().names()) {
                ofLane.addAll(new StrandAudit(rows, shape, lane, stage).findings());
            }
            broken.addAll(ofLane);
            // Else what is not found is not there either, which is said already.
            if (ofLane.isEmpty() && hands.isEmpty()) {
                broken.addAll(astray);
            }
        }
        broken.addAll(hands);
        broken.addAll(aside);
        return broken;
    }
}

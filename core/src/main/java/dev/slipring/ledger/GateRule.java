// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.Shape;

/**
 * What every stage is done with leaves the ring: the gate moves up, whole slots below it are
 * released.
 */
final class GateRule {

    private GateRule() {}

    /** Brings the gate of a lane to where it belongs. */
    static void update(RingRows rows, Shape shape, int lane) {
        long gate = rows.strands().gate(shape, lane);
        LaneRow row = rows.lanes().there(shape, lane);
        if (gate == row.gate()) {
            return;
        }
        long freed = gate > row.gate() ? rows.lanes().release(shape.id(), lane, gate) : 0;
        rows.lanes().put(shape.id(), new LaneRow(lane, row.head(), gate, row.bytes() - freed));
        if (gate > row.gate()) {
            forgetDropped(rows, shape, lane, gate);
        }
    }

    /** A position is forgotten when no rewind can bring a stage to it any more. */
    private static void forgetDropped(RingRows rows, Shape shape, int lane, long gate) {
        for (String stage : shape.spec().stages().names()) {
            Strand strand = rows.strands().there(shape, stage, lane);
            if (strand.dropped() > 0) {
                long oldest = rows.lanes().oldest(shape.id(), lane).orElse(gate);
                long gone = rows.aside().deleteDropped(shape.id(), stage, lane, oldest);
                rows.strands().put(shape.id(), strand.kept(0, 0, -gone, 0));
            }
        }
    }
}

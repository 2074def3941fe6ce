// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.Shape;

import java.util.Collection;
import java.util.List;

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
        boolean up = gate > row.gate();
        List<String> dropping = up ? dropping(rows, shape, lane) : List.of();
        long before = dropping.isEmpty() ? 0 : oldest(rows, shape, lane, row.gate());
        long freed = up ? rows.lanes().release(shape.id(), lane, gate) : 0;
        rows.lanes().put(shape.id(), new LaneRow(lane, row.head(), gate, row.bytes() - freed));
        if (!dropping.isEmpty()) {
            // What stood before this was looked at when its slots left.
            long after = oldest(rows, shape, lane, gate);
            forget(rows, shape, dropping, new LaneRange(lane, before, after));
        }
    }

    /**
     * Forgets what was dropped at positions at which a stage has let go of its messages, if their
     * slots have left the ring.
     */
    static void letGo(RingRows rows, Shape shape, int lane, Collection<Long> positions) {
        List<String> dropping = positions.isEmpty() ? List.of() : dropping(rows, shape, lane);
        if (!dropping.isEmpty()) {
            long oldest = oldest(rows, shape, lane, Long.MAX_VALUE);
            positions.stream()
                    .filter(position -> position < oldest)
                    .forEach(
                            position ->
                                    forget(rows, shape, dropping, LaneRange.at(lane, position)));
        }
    }

    /** The same at all positions of a lane. */
    static void letGo(RingRows rows, Shape shape, int lane) {
        List<String> dropping = dropping(rows, shape, lane);
        if (!dropping.isEmpty()) {
            long oldest = oldest(rows, shape, lane, Long.MAX_VALUE);
            forget(rows, shape, dropping, new LaneRange(lane, 0, oldest));
        }
    }

    private static long oldest(RingRows rows, Shape shape, int lane, long none) {
        return rows.lanes().oldest(shape.id(), lane).orElse(none);
    }

    private static List<String> dropping(RingRows rows, Shape shape, int lane) {
        return shape.spec().stages().names().stream()
                .filter(stage -> rows.strands().there(shape, stage, lane).dropped() > 0)
                .toList();
    }

    /** A position is forgotten when no rewind can bring a stage to it any more. */
    private static void forget(
            RingRows rows, Shape shape, List<String> stages, LaneRange range) {
        for (String stage : stages) {
            long gone = rows.aside().deleteDropped(shape.id(), stage, range);
            if (gone > 0) {
                Strand strand = rows.strands().there(shape, stage, range.lane());
                rows.strands().put(shape.id(), strand.kept(0, 0, -gone, 0));
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.graph.RingSpec;

import java.util.List;

/** The cells of a lane: how many there are, and more of them when its slots need more. */
final class Cells {

    private static final long FIRST = 128;

    private Cells() {}

    /** How many cells a lane begins with. */
    static long first(RingSpec spec) {
        return Math.min(FIRST, Math.max(spec.messages(), 4));
    }

    /** Sees to it that there is a free cell for the next slot of a lane. */
    static void makeRoom(Work work, long ring, LaneState lane, List<Script.Step> writes) {
        Extent last = lane.extents.get(lane.extents.size() - 1);
        if (lane.turn - Math.max(lane.oldestTurn, last.from()) >= last.cells()) {
            Extent more = new Extent(lane.turn, last.cell() + last.cells(), 4 * last.cells());
            writes.addAll(work.dialect().makeCells(ring, lane.lane, more));
            lane.extents.add(more);
        } else if (!work.isJoined() && lane.extents.size() > 1) {
            forget(ring, lane, writes);
        }
    }

    /** Removes the cells of an extent that is released and will not be used again. */
    private static void forget(long ring, LaneState lane, List<Script.Step> writes) {
        Extent first = lane.extents.get(0);
        if (lane.extents.get(1).from() <= lane.oldestTurn) {
            lane.extents.remove(0);
            writes.add(
                    new Script.Step(
                            "DELETE FROM slipring_slot WHERE ring = ? AND lane = ?"
                                    + " AND cell >= ? AND cell < ?",
                            new Object[] {
                                ring, lane.lane, first.cell(), first.cell() + first.cells()
                            },
                            null));
        }
    }
}

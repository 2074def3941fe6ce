// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.graph.RingSpec;

import java.util.ArrayList;
import java.util.List;

/** The cells of a lane: how many there are, and more of them when its slots need more. */
final class Cells {

    private static final long FIRST = 128;
    private static final int AT_ONCE = 500;

    private Cells() {}

    /** How many cells a lane begins with. */
    static long first(RingSpec spec) {
        return Math.min(FIRST, Math.max(spec.messages(), 4));
    }

    /** Statements that insert the cells of an extent, some hundred at a time. */
    static List<Script.Step> inserts(long ring, int lane, Extent extent) {
        List<Script.Step> inserts = new ArrayList<>();
        for (long done = 0; done < extent.cells(); done += AT_ONCE) {
            StringBuilder sql =
                    new StringBuilder(
                            "INSERT INTO slipring_slot (ring, lane, cell, turn, first_position,"
                                    + " messages, producer, number, pushed_at, size, pieces, body)"
                                    + " VALUES ");
            for (long i = done; i < Math.min(done + AT_ONCE, extent.cells()); i++) {
                sql.append(i == done ? "(" : ", (").append(ring).append(", ").append(lane);
                sql.append(", ").append(extent.cell() + i);
                sql.append(", -1, -1, 0, 0, 0, 0, 0, 0, '')");
            }
            inserts.add(new Script.Step(sql.toString(), new Object[0], null));
        }
        return inserts;
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

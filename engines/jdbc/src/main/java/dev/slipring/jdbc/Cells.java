// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.graph.RingSpec;

/** The cells of a lane: how many there are, and more of them when its slots need more. */
final class Cells {

    private static final long FIRST = 128;

    /** How many cells are made at once: so many hold a push up for a moment only. */
    private static final long MOST = 16_384;

    /** How many extents a lane may have: their list stands in a row, and each push reads it. */
    private static final long EXTENTS = 256;

    private Cells() {}

    /** How many cells a lane begins with. */
    static long first(RingSpec spec) {
        return Math.min(FIRST, most(spec));
    }

    /** How many cells an extent has at most; never more than a ring of single messages needs. */
    static long most(RingSpec spec) {
        return Math.min(Math.max(spec.messages(), 4), Math.max(MOST, spec.messages() / EXTENTS));
    }

    /** Sees to it that there is a free cell for the next slot of a lane. */
    static void makeRoom(Work work, long ring, RingSpec spec, LaneState lane, Script writes) {
        Extent last = lane.extents().get(lane.extents().size() - 1);
        if (lane.turn() - Math.max(lane.oldestTurn(), last.from()) >= last.cells()) {
            long cells = Math.min(4 * last.cells(), most(spec));
            Extent free = takeReleased(lane, cells);
            if (free == null) {
                free = new Extent(lane.turn(), behindAll(lane), cells);
                writes.add(work.dialect().makeCells(ring, lane.number(), free));
            }
            lane.extents().add(new Extent(lane.turn(), free.cell(), free.cells()));
        } else if (!work.isJoined() && lane.extents().size() > 1) {
            forget(work.dialect(), ring, lane, writes);
        }
    }

    private static long behindAll(LaneState lane) {
        return lane.extents().stream().mapToLong(e -> e.cell() + e.cells()).max().orElse(0);
    }

    /**
     * Takes an extent that is released and has as many cells out of the list; null if there is
     * none. Work in transactions of callers removes none, and finds them here.
     */
    private static Extent takeReleased(LaneState lane, long cells) {
        for (int i = 0; i + 1 < lane.extents().size(); i++) {
            if (lane.extents().get(i + 1).from() > lane.oldestTurn()) {
                return null;
            }
            if (lane.extents().get(i).cells() >= cells) {
                return lane.extents().remove(i);
            }
        }
        return null;
    }

    /** Removes the cells of an extent that is released and will not be used again. */
    private static void forget(Dialect dialect, long ring, LaneState lane, Script writes) {
        Extent first = lane.extents().get(0);
        if (lane.extents().get(1).from() <= lane.oldestTurn()) {
            lane.extents().remove(0);
            writes.run(
                    dialect.delete(
                            "slipring_slot", "ring = ? AND lane = ? AND cell >= ? AND cell < ?"),
                    ring,
                    lane.number(),
                    first.cell(),
                    first.cell() + first.cells());
        }
    }
}

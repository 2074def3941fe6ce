// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ledger.AsideRow;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.SlotRow;
import dev.slipring.ledger.Strand;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The rows of one ring. */
final class MemoryRing {

    final NavigableMap<Integer, LaneRow> lanes = new TreeMap<>();
    final NavigableMap<At, SlotRow> slots = new TreeMap<>();
    final Map<Long, Long> producers = new HashMap<>();
    final NavigableMap<At, Strand> strands = new TreeMap<>();
    final NavigableMap<At, ClaimRow> claims = new TreeMap<>();
    final NavigableMap<At, AsideRow> aside = new TreeMap<>();

    /**
     * The key of a row: a stage (empty for slots), a lane, and a position or epoch.
     *
     * @param stage the stage
     * @param lane the lane
     * @param number the position or epoch
     */
    record At(String stage, int lane, long number) implements Comparable<At> {

        @Override
        public int compareTo(At other) {
            int byStage = stage.compareTo(other.stage);
            int byLane = byStage != 0 ? byStage : Integer.compare(lane, other.lane);
            return byLane != 0 ? byLane : Long.compare(number, other.number);
        }
    }

    /** The rows of a stage. */
    static <V> NavigableMap<At, V> of(NavigableMap<At, V> rows, String stage) {
        return rows.subMap(
                new At(stage, 0, 0), true, new At(stage, Integer.MAX_VALUE, Long.MAX_VALUE), true);
    }

    /** The rows of a stage in a lane, from a number to before another. */
    static <V> NavigableMap<At, V> of(
            NavigableMap<At, V> rows, String stage, int lane, long from, long to) {
        return rows.subMap(
                new At(stage, lane, from), true, new At(stage, lane, Math.max(from, to)), false);
    }
}

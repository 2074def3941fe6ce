// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.SlotRow;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Finds slots of a lane by their numbers, and learns where they begin. */
final class SlotReading {

    private final Work work;
    private final SlotCache cache;
    private final long ring;
    private final LaneState lane;
    private long next;
    private boolean past;

    SlotReading(Work work, SlotCache cache, long ring, LaneState lane) {
        this.work = work;
        this.cache = cache;
        this.ring = ring;
        this.lane = lane;
    }

    /** The number to go on with. */
    long next() {
        return next;
    }

    /** Whether the last reading came to a slot behind the range. */
    boolean isPast() {
        return past;
    }

    /**
     * The slots from a number on, at most so many, that have positions of a range.
     *
     * @param bodies whether the bodies in the slots are wanted
     */
    List<StoredSlot> slots(long turn, long most, long from, long to, boolean bodies) {
        Extent extent = Extent.at(lane.extents(), turn);
        long end = Math.min(turn + Math.min(most, extent.straight(turn)), lane.turn());
        for (Extent later : lane.extents()) {
            end = later.from() > turn ? Math.min(end, later.from()) : end;
        }
        List<StoredSlot> found = new ArrayList<>();
        past = false;
        long first = turn;
        for (StoredSlot known = known(first); known != null && first < end && !past; ) {
            take(known, turn, from, to, found);
            known = known(++first);
        }
        if (first < end && !past) {
            read(extent, first, end, bodies, stored -> take(stored, turn, from, to, found));
        }
        next = past ? Long.MAX_VALUE : end;
        return found;
    }

    private StoredSlot known(long turn) {
        return work.isReading() ? null : cache.get(ring, lane.number(), turn);
    }

    private void read(
            Extent extent, long first, long end, boolean bodies, Consumer<StoredSlot> visitor) {
        work.look(
                new Script()
                        .read(
                                "SELECT turn, first_position, messages, producer, number,"
                                        + " pushed_at, size, pieces"
                                        + (bodies ? ", body" : "")
                                        + " FROM slipring_slot WHERE ring = ? AND lane = ?"
                                        + " AND cell >= ? AND cell < ? ORDER BY cell",
                                row -> {
                                    visitor.accept(
                                            new StoredSlot(
                                                    row.getLong(1),
                                                    row.getInt(7),
                                                    row.getInt(8),
                                                    new SlotRow(
                                                            lane.number(),
                                                            row.getLong(2),
                                                            row.getInt(3),
                                                            row.getLong(4),
                                                            row.getLong(5),
                                                            row.getLong(6),
                                                            bodies ? row.getBytes(9) : null)));
                                },
                                ring,
                                lane.number(),
                                extent.of(first),
                                extent.of(first) + end - first));
    }

    private void take(StoredSlot stored, long turn, long from, long to, List<StoredSlot> found) {
        SlotRow row = stored.row();
        if (stored.turn() < turn || stored.turn() >= lane.turn()) {
            return;
        }
        lane.anchor(row.first(), stored.turn());
        lane.anchor(row.end(), stored.turn() + 1);
        if (row.first() >= to) {
            past = true;
        } else if (row.end() > from) {
            found.add(stored);
        }
    }
}

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

    /**
     * A slot without what stands outside of it.
     *
     * @param turn its number
     * @param size how long its body is
     * @param pieces in how many rows that is; 0 if it is here
     * @param row the slot
     */
    record Header(long turn, int size, int pieces, SlotRow row) {

        /** Whether the body is here. */
        boolean isWhole() {
            return row.body() != null && row.body().length == size;
        }

        SlotRow with(byte[] body) {
            return new SlotRow(
                    row.lane(),
                    row.first(),
                    row.count(),
                    row.producer(),
                    row.number(),
                    row.pushedAt(),
                    body);
        }
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
    List<Header> headers(long turn, long most, long from, long to, boolean bodies) {
        Extent extent = Extent.at(lane.extents, turn);
        long end = Math.min(turn + Math.min(most, extent.straight(turn)), lane.turn);
        for (Extent later : lane.extents) {
            end = later.from() > turn ? Math.min(end, later.from()) : end;
        }
        List<Header> found = new ArrayList<>();
        past = false;
        long first = turn;
        for (Header known = known(first); known != null && first < end && !past; ) {
            take(known, turn, from, to, found);
            known = known(++first);
        }
        if (first < end && !past) {
            read(extent, first, end, bodies, header -> take(header, turn, from, to, found));
        }
        next = past ? Long.MAX_VALUE : end;
        return found;
    }

    private Header known(long turn) {
        return work.isReading() ? null : cache.get(ring, lane.lane, turn);
    }

    private void read(
            Extent extent, long first, long end, boolean bodies, Consumer<Header> visitor) {
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
                                            new Header(
                                                    row.getLong(1),
                                                    row.getInt(7),
                                                    row.getInt(8),
                                                    new SlotRow(
                                                            lane.lane,
                                                            row.getLong(2),
                                                            row.getInt(3),
                                                            row.getLong(4),
                                                            row.getLong(5),
                                                            row.getLong(6),
                                                            bodies ? row.getBytes(9) : null)));
                                },
                                ring,
                                lane.lane,
                                extent.of(first),
                                extent.of(first) + end - first));
    }

    private void take(Header header, long turn, long from, long to, List<Header> found) {
        SlotRow row = header.row();
        if (header.turn() < turn || header.turn() >= lane.turn) {
            return;
        }
        lane.anchors.put(row.first(), header.turn());
        lane.anchors.put(row.end(), header.turn() + 1);
        if (row.first() >= to) {
            past = true;
        } else if (row.end() > from) {
            found.add(header);
        }
    }
}

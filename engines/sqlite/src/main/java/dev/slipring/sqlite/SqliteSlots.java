// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;
import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.LaneTable;
import dev.slipring.ledger.SlotRow;
import dev.slipring.sql.RowVisitor;
import dev.slipring.sqlite.BodyCache.At;
import dev.slipring.sqlite.Cells.Left;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The slots of the lanes in SQL. A slot that is released stays where it is until a push takes its
 * place; it is one that ends at its lane's gate or before, and nobody sees it any more.
 */
final class SqliteSlots {

    private static final String SLOT =
            "SELECT id, count, bytes, producer, number, pushed_at, cell, body FROM slipring_slot ";

    /** From the slot in which a position lies, or the first of the lane. */
    private static final String FROM_SLOT_OF =
            "WHERE id >= (SELECT coalesce(max(id), ?) FROM slipring_slot WHERE id >= ? AND id <= ?)"
                    + " AND id < ? ";

    /** A sweep: after how many positions released slots are cleared away for small bodies. */
    static final int SWEEP = 128;

    private final Statements statements;
    private final Shelves shelves;
    private final Cells cells;
    private final Gates gates;

    SqliteSlots(Statements statements, Shelves shelves, Cells cells, Gates gates) {
        this.gates = gates;
        this.statements = statements;
        this.shelves = shelves;
        this.cells = cells;
    }

    /** The gate of a lane as it is known. */
    interface Gates {

        /** The position below which every stage is done. */
        long of(long ring, int lane);
    }

    /** Adds a slot in the place of released ones, if there are. */
    void append(long ring, SlotRow slot) {
        long id = shelves.id(ring, slot.lane(), slot.first());
        if (slot.first() + slot.count() >= Shelves.POSITIONS) {
            throw new StoreFailed(
                    "lane "
                            + slot.lane()
                            + " has had the most messages that a"
                            + " lane can have; make a new ring");
        }
        long spare = clear(ring, slot, due(ring, slot));
        long cell = cells.put(at(ring, slot.lane(), id), slot, spare);
        statements.update(
                "INSERT INTO slipring_slot (id, count, bytes, producer, number,"
                        + " pushed_at, cell, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                id,
                slot.count(),
                slot.body().length,
                slot.producer(),
                slot.number(),
                slot.pushedAt(),
                cell,
                cell == Cells.NONE ? slot.body() : Cells.ELSEWHERE);
    }

    /**
     * How many bytes of released slots a push clears away: one that fills a cell as many as it
     * brings, and whoever comes to the end of a sweep twice as many as small bodies were brought in
     * it. So there are never more, but for one sweep, than the lane once held. To clear away for
     * each small body would write a page more each time, a third of all that its push writes.
     */
    private long due(long ring, SlotRow slot) {
        int bytes = slot.body().length;
        boolean inRow = Cells.isInRow(bytes);
        long begin = slot.first() - slot.first() % SWEEP;
        long own = inRow ? 0 : bytes;
        if (slot.first() + slot.count() < begin + SWEEP) {
            return own;
        }
        long small =
                statements
                        .number(
                                "SELECT sum(bytes) FROM slipring_slot"
                                        + " WHERE id >= ? AND id < ? AND cell = 0",
                                shelves.id(ring, slot.lane(), begin),
                                shelves.id(ring, slot.lane(), slot.first()))
                        .orElse(0);
        return own + 2 * (small + (inRow ? bytes : 0));
    }

    /** Clears released slots away; returns a cell that one of them leaves behind, if one fits. */
    private long clear(long ring, SlotRow slot, long bytes) {
        if (bytes == 0) {
            return Cells.NONE;
        }
        int lane = slot.lane();
        long begin = shelves.id(ring, lane, 0);
        long gate = gates.of(ring, lane);
        long[] last = {-1, 0};
        List<Left> left = new ArrayList<>(1);
        statements.each(
                "SELECT id, count, bytes, cell FROM slipring_slot WHERE id >= ? AND id < ?"
                        + " ORDER BY id",
                row -> {
                    long id = row.getLong(1);
                    boolean released = Shelves.first(id) + row.getInt(2) <= gate;
                    if (released) {
                        last[0] = id;
                        last[1] += row.getLong(3);
                        left.add(new Left(row.getLong(4), row.getInt(3)));
                    }
                    return released && last[1] < bytes;
                },
                begin,
                shelves.id(ring, lane, gate));
        if (left.isEmpty()) {
            return Cells.NONE;
        }
        statements.update("DELETE FROM slipring_slot WHERE id >= ? AND id <= ?", begin, last[0]);
        return cells.oneOf(left, slot.body().length);
    }

    List<SlotRow> read(long ring, LaneRange range, long maxBytes) {
        int lane = range.lane();
        List<SlotRow> found = new ArrayList<>();
        long[] bytes = {0};
        long begin = shelves.id(ring, lane, 0);
        statements.each(
                SLOT + FROM_SLOT_OF + "ORDER BY id",
                row -> {
                    if (end(row) > range.from()) {
                        found.add(slot(lane, row, cells.read(at(ring, lane, row.getLong(1)), row)));
                        bytes[0] += row.getLong(3);
                    }
                    return bytes[0] < maxBytes;
                },
                begin,
                begin,
                shelves.id(ring, lane, range.from()),
                shelves.id(ring, lane, range.to()));
        return found;
    }

    /** When what stands at a position was pushed. */
    OptionalLong pushedAt(long ring, int lane, long position) {
        OptionalLong[] at = {OptionalLong.empty()};
        long begin = shelves.id(ring, lane, 0);
        statements.each(
                "SELECT id, count, pushed_at FROM slipring_slot " + FROM_SLOT_OF + "ORDER BY id",
                row -> {
                    boolean holds = end(row) > position;
                    at[0] = holds ? OptionalLong.of(row.getLong(3)) : at[0];
                    return !holds;
                },
                begin,
                begin,
                shelves.id(ring, lane, position),
                shelves.id(ring, lane, position + 1));
        return at[0];
    }

    /** How many bytes are no longer held once the gate goes up to a position. */
    long release(long ring, int lane, long below) {
        long[] bytes = {0};
        live(
                "SELECT id, count, bytes FROM slipring_slot ",
                ring,
                lane,
                below,
                row -> {
                    boolean released = end(row) <= below;
                    if (released) {
                        bytes[0] += row.getLong(3);
                        cells.released(at(ring, lane, row.getLong(1)));
                    }
                    return released;
                });
        if (below == Long.MAX_VALUE) {
            clear(ring, lane);
        }
        return bytes[0];
    }

    /** Removes all slots of a lane, released or not. */
    void clear(long ring, int lane) {
        long begin = shelves.id(ring, lane, 0);
        long end = shelves.id(ring, lane, Long.MAX_VALUE);
        cells.clear(begin, end);
        statements.update("DELETE FROM slipring_slot WHERE id >= ? AND id <= ?", begin, end);
    }

    /** The first position held that was pushed at a time or later. */
    OptionalLong pushedSince(long ring, int lane, long time) {
        long[] first = {-1};
        live(
                "SELECT id, count, pushed_at FROM slipring_slot ",
                ring,
                lane,
                Long.MAX_VALUE,
                row -> {
                    if (row.getLong(3) >= time) {
                        first[0] = Shelves.first(row.getLong(1));
                    }
                    return first[0] < 0;
                });
        return first[0] < 0 ? OptionalLong.empty() : OptionalLong.of(first[0]);
    }

    /** Shows every slot that is held; reads from the file alone, whatever is remembered. */
    void each(long ring, int lane, LaneTable.SlotReader reader) {
        live(
                SLOT,
                ring,
                lane,
                Long.MAX_VALUE,
                row -> {
                    SlotRow slot = slot(lane, row, cells.readFile(row));
                    if (slot.body().length != row.getLong(3)) {
                        reader.wrong(
                                "the slot at "
                                        + slot.first()
                                        + " is to have "
                                        + row.getLong(3)
                                        + " bytes (slipring_slot.bytes), its body has "
                                        + slot.body().length);
                    }
                    reader.slot(slot);
                    return true;
                });
    }

    /** Visits the slots that are held and begin below a position, in order. */
    private void live(String select, long ring, int lane, long to, RowVisitor visitor) {
        long begin = shelves.id(ring, lane, 0);
        long gate = gates.of(ring, lane);
        statements.each(
                select + FROM_SLOT_OF + "ORDER BY id",
                row -> end(row) <= gate || visitor.visit(row),
                begin,
                begin,
                shelves.id(ring, lane, gate),
                shelves.id(ring, lane, to));
    }

    private static At at(long ring, int lane, long id) {
        return new At(ring, lane, Shelves.first(id));
    }

    private static long end(ResultSet row) throws SQLException {
        return Shelves.first(row.getLong(1)) + row.getInt(2);
    }

    private static SlotRow slot(int lane, ResultSet row, byte[] body) throws SQLException {
        return new SlotRow(
                lane,
                Shelves.first(row.getLong(1)),
                row.getInt(2),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                body);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;
import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.LaneTable;
import dev.slipring.ledger.SlotRow;
import dev.slipring.sqlite.BodyCache.At;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Lanes, slots and producers in SQL. */
final class SqliteLanes implements LaneTable {

    /** A producer asks for its number right after a push whose outcome it does not know. */
    private static final long PRODUCER_MILLIS = 7L * 24 * 60 * 60 * 1000;

    private static final String SLOT =
            "SELECT id, count, producer, number, pushed_at,"
                    + " iif(bytes <= "
                    + BodyCache.SMALL
                    + ", body, NULL) FROM slipring_slot ";

    private final Statements statements;
    private final Shelves shelves;
    private final BodyCache cache;
    private final LongSupplier clock;

    /** Large bodies that this transaction wrote or read, to be remembered if it commits. */
    private final Map<At, byte[]> seen = new HashMap<>();

    SqliteLanes(Statements statements, Shelves shelves, BodyCache cache, LongSupplier clock) {
        this.statements = statements;
        this.shelves = shelves;
        this.cache = cache;
        this.clock = clock;
    }

    void end(boolean committed) {
        if (committed && !seen.isEmpty()) {
            cache.keep(seen);
        }
        seen.clear();
    }

    @Override
    public List<LaneRow> all(long ring) {
        return statements.list(
                "SELECT lane, head, gate, bytes FROM slipring_sequence"
                        + " WHERE ring = ? AND stage = '' ORDER BY lane",
                row -> new LaneRow(row.getInt(1), row.getLong(2), row.getLong(3), row.getLong(4)),
                ring);
    }

    @Override
    public void put(long ring, LaneRow lane) {
        int changed =
                statements.update(
                        "UPDATE slipring_sequence SET head = ?, gate = ?, bytes = ?"
                                + " WHERE ring = ? AND stage = '' AND lane = ? AND epoch = 0",
                        lane.head(),
                        lane.gate(),
                        lane.bytes(),
                        ring,
                        lane.lane());
        if (changed == 0) {
            statements.update(
                    "INSERT INTO slipring_sequence (head, gate, bytes, ring, lane, stage, epoch,"
                            + " producer, number) VALUES (?, ?, ?, ?, ?, '', 0, 0, 0)",
                    lane.head(),
                    lane.gate(),
                    lane.bytes(),
                    ring,
                    lane.lane());
        }
    }

    @Override
    public void append(long ring, SlotRow slot) {
        long id = shelves.id(ring, slot.lane(), slot.first());
        if (Shelves.first(id) != slot.first()) {
            throw new StoreFailed(
                    "lane "
                            + slot.lane()
                            + " has had the most messages that a"
                            + " lane can have; make a new ring");
        }
        statements.update(
                "INSERT INTO slipring_slot (id, count, bytes, producer, number,"
                        + " pushed_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
                id,
                slot.count(),
                slot.body().length,
                slot.producer(),
                slot.number(),
                slot.pushedAt(),
                slot.body());
        seen(new At(ring, slot.lane(), slot.first()), slot.body());
    }

    @Override
    public List<SlotRow> slots(long ring, int lane, long from, long to, long maxBytes) {
        List<SlotRow> found = new ArrayList<>();
        long[] bytes = {0};
        long begin = shelves.id(ring, lane, 0);
        statements.each(
                SLOT
                        + "WHERE id >= (SELECT coalesce(max(id), ?) FROM slipring_slot"
                        + " WHERE id >= ? AND id <= ?) AND id < ? ORDER BY id",
                row -> {
                    SlotRow slot = slot(ring, lane, row);
                    if (slot.end() > from) {
                        found.add(slot);
                        bytes[0] += slot.body().length;
                    }
                    return bytes[0] < maxBytes;
                },
                begin,
                begin,
                shelves.id(ring, lane, from),
                shelves.id(ring, lane, to));
        return found;
    }

    private SlotRow slot(long ring, int lane, ResultSet row) throws SQLException {
        long id = row.getLong(1);
        byte[] small = row.getBytes(6);
        byte[] body = small != null ? small : large(new At(ring, lane, Shelves.first(id)), id);
        return new SlotRow(
                lane,
                Shelves.first(id),
                row.getInt(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                body);
    }

    private byte[] large(At at, long id) {
        byte[] known = cache.get(at);
        if (known == null) {
            known =
                    statements.first(
                            "SELECT body FROM slipring_slot WHERE id = ?",
                            row -> row.getBytes(1),
                            id);
            seen(at, known);
        }
        return known;
    }

    private void seen(At at, byte[] body) {
        if (body.length > BodyCache.SMALL) {
            seen.put(at, body);
        }
    }

    @Override
    public long release(long ring, int lane, long below) {
        long begin = shelves.id(ring, lane, 0);
        long[] last = {-1};
        long[] bytes = {0};
        statements.each(
                "SELECT id, count, bytes FROM slipring_slot WHERE id >= ? AND id < ?"
                        + " ORDER BY id",
                row -> {
                    boolean gone = Shelves.first(row.getLong(1)) + row.getInt(2) <= below;
                    if (gone) {
                        last[0] = row.getLong(1);
                        bytes[0] += row.getLong(3);
                    }
                    return gone;
                },
                begin,
                shelves.id(ring, lane, below));
        if (last[0] >= 0) {
            statements.update(
                    "DELETE FROM slipring_slot WHERE id >= ? AND id <= ?", begin, last[0]);
        }
        return bytes[0];
    }

    @Override
    public OptionalLong oldest(long ring, int lane) {
        return first(
                statements.number(
                        "SELECT min(id) FROM slipring_slot WHERE id >= ? AND id < ?",
                        shelves.id(ring, lane, 0),
                        shelves.id(ring, lane, Long.MAX_VALUE)));
    }

    @Override
    public OptionalLong pushedSince(long ring, int lane, long time) {
        return first(
                statements.number(
                        "SELECT id FROM slipring_slot WHERE id >= ? AND id < ?"
                                + " AND pushed_at >= ? ORDER BY id LIMIT 1",
                        shelves.id(ring, lane, 0),
                        shelves.id(ring, lane, Long.MAX_VALUE),
                        time));
    }

    private static OptionalLong first(OptionalLong id) {
        return id.isPresent() ? OptionalLong.of(Shelves.first(id.getAsLong())) : id;
    }

    /** Reads from the file alone, whatever is remembered. */
    @Override
    public void each(long ring, int lane, Consumer<SlotRow> reader) {
        statements.each(
                "SELECT id, count, producer, number, pushed_at, body FROM slipring_slot"
                        + " WHERE id >= ? AND id < ? ORDER BY id",
                row -> {
                    reader.accept(
                            new SlotRow(
                                    lane,
                                    Shelves.first(row.getLong(1)),
                                    row.getInt(2),
                                    row.getLong(3),
                                    row.getLong(4),
                                    row.getLong(5),
                                    row.getBytes(6)));
                    return true;
                },
                shelves.id(ring, lane, 0),
                shelves.id(ring, lane, Long.MAX_VALUE));
    }

    @Override
    public long pushed(long ring, long producer) {
        return statements
                .number(
                        "SELECT number FROM slipring_sequence WHERE ring = ? AND stage = ''"
                                + " AND lane = 0 AND epoch = 0 AND producer = ? UNION ALL"
                                + " SELECT number FROM slipring_producer"
                                + " WHERE ring = ? AND producer = ? LIMIT 1",
                        ring,
                        producer,
                        ring,
                        producer)
                .orElse(0);
    }

    @Override
    public void pushed(long ring, long producer, long number) {
        int last =
                statements.update(
                        "UPDATE slipring_sequence SET number = ?"
                                + " WHERE ring = ? AND stage = '' AND lane = 0 AND epoch = 0"
                                + " AND producer = ?",
                        number,
                        ring,
                        producer);
        if (last == 0) {
            takeTurn(ring, producer, number);
        }
    }

    /** Another producer than the last one pushes: the last one gets a row of its own. */
    private void takeTurn(long ring, long producer, long number) {
        long now = clock.getAsLong();
        statements.update(
                "DELETE FROM slipring_producer WHERE ring = ? AND (seen_at < ? OR producer = ?)",
                ring,
                now - PRODUCER_MILLIS,
                producer);
        statements.update(
                "INSERT OR REPLACE INTO slipring_producer (ring, producer, number, seen_at)"
                        + " SELECT ring, producer, number, ? FROM slipring_sequence WHERE ring = ?"
                        + " AND stage = '' AND lane = 0 AND epoch = 0 AND producer <> 0",
                now,
                ring);
        statements.update(
                "UPDATE slipring_sequence SET producer = ?, number = ?"
                        + " WHERE ring = ? AND stage = '' AND lane = 0 AND epoch = 0",
                producer,
                number,
                ring);
    }
}

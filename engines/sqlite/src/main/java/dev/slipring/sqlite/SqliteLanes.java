// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.LaneTable;
import dev.slipring.ledger.SlotRow;

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
    private static final long PRODUCER_MILLIS = 24L * 60 * 60 * 1000;

    /** How many producers are looked at whenever another one pushes; most come once only. */
    private static final int FORGOTTEN_AT_ONCE = 16;

    private final Statements statements;
    private final SqliteSlots slots;
    private final LongSupplier clock;

    /** By ring, what this transaction read or wrote; nobody else writes while it does. */
    private final Map<Long, List<LaneRow>> known = new HashMap<>();

    SqliteLanes(Statements statements, Shelves shelves, Cells cells, LongSupplier clock) {
        this.statements = statements;
        this.slots = new SqliteSlots(statements, shelves, cells, this::gate);
        this.clock = clock;
    }

    /** Removes all slots of a lane. */
    void clear(long ring, int lane) {
        slots.clear(ring, lane);
    }

    /** Forgets what was read: the next transaction may see something else. */
    void end() {
        known.clear();
    }

    @Override
    public List<LaneRow> all(long ring) {
        return new ArrayList<>(known.computeIfAbsent(ring, this::read));
    }

    private List<LaneRow> read(long ring) {
        return statements.list(
                "SELECT lane, head, gate, bytes FROM slipring_sequence"
                        + " WHERE ring = ? AND stage = '' ORDER BY lane",
                row -> new LaneRow(row.getInt(1), row.getLong(2), row.getLong(3), row.getLong(4)),
                ring);
    }

    private long gate(long ring, int lane) {
        List<LaneRow> lanes = known.computeIfAbsent(ring, this::read);
        return lane < lanes.size() ? lanes.get(lane).gate() : 0;
    }

    @Override
    public void put(long ring, LaneRow lane) {
        List<LaneRow> lanes = known.get(ring);
        if (lanes != null && lane.lane() < lanes.size()) {
            lanes.set(lane.lane(), lane);
        } else {
            known.remove(ring);
        }
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
        slots.append(ring, slot);
    }

    @Override
    public List<SlotRow> slots(long ring, int lane, long from, long to, long maxBytes) {
        return slots.read(ring, lane, from, to, maxBytes);
    }

    @Override
    public long release(long ring, int lane, long below) {
        return slots.release(ring, lane, below);
    }

    @Override
    public OptionalLong oldest(long ring, int lane) {
        return slots.pushedSince(ring, lane, Long.MIN_VALUE);
    }

    @Override
    public OptionalLong pushedSince(long ring, int lane, long time) {
        return slots.pushedSince(ring, lane, time);
    }

    @Override
    public void each(long ring, int lane, Consumer<SlotRow> reader) {
        slots.each(ring, lane, reader);
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
                "DELETE FROM slipring_producer WHERE ring = ? AND producer = ?", ring, producer);
        forget(ring, producer, now - PRODUCER_MILLIS);
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

    /** Forgets some who pushed long ago: names are random, so each has its turn. */
    private void forget(long ring, long from, long before) {
        statements.update(
                "DELETE FROM slipring_producer WHERE ring = ? AND seen_at < ? AND producer IN"
                        + " (SELECT producer FROM slipring_producer WHERE ring = ?"
                        + " AND producer >= ? ORDER BY producer LIMIT ?)",
                ring,
                before,
                ring,
                from,
                FORGOTTEN_AT_ONCE);
    }
}

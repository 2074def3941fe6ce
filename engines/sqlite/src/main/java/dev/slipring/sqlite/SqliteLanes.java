// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.SlotRow;
import dev.slipring.ledger.SlotTable;
import dev.slipring.sqlite.KnownLanes.Turn;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Lanes and producers, read once, changed in memory, then written; and slots. */
final class SqliteLanes implements SlotTable {

    /** A producer asks for its number right after a push whose outcome it does not know. */
    private static final long PRODUCER_MILLIS = 24L * 60 * 60 * 1000;

    /** How many producers are looked at whenever another one pushes; most come once only. */
    private static final int FORGOTTEN_AT_ONCE = 16;

    private final Statements statements;
    private final SqliteSlots slots;
    private final LongSupplier clock;
    private final KnownSequences<Long, KnownLanes> known;

    SqliteLanes(Statements statements, Shelves shelves, Cells cells, LongSupplier clock) {
        this.statements = statements;
        this.known = new KnownSequences<>(statements, ring -> KnownLanes.read(statements, ring));
        this.slots = new SqliteSlots(statements, shelves, cells, this::gate);
        this.clock = clock;
    }

    /** What is known of the lanes, by ring. */
    KnownSequences<Long, KnownLanes> known() {
        return known;
    }

    /** Removes all slots of a lane. */
    void clear(long ring, int lane) {
        slots.clear(ring, lane);
    }

    @Override
    public List<LaneRow> all(long ring) {
        return known.get(ring).lanes().all();
    }

    @Override
    public LaneRow get(long ring, int lane) {
        return known.get(ring).lanes().get(lane);
    }

    private long gate(long ring, int lane) {
        LaneRow row = get(ring, lane);
        return row == null ? 0 : row.gate();
    }

    @Override
    public void put(long ring, LaneRow lane) {
        known.change(ring).lanes().put(lane.lane(), lane);
    }

    @Override
    public void append(long ring, SlotRow slot) {
        slots.append(ring, slot);
    }

    @Override
    public List<SlotRow> slots(long ring, LaneRange range, long maxBytes) {
        return slots.read(ring, range, maxBytes);
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
    public OptionalLong pushedAt(long ring, int lane, long position) {
        return slots.pushedAt(ring, lane, position);
    }

    @Override
    public void each(long ring, int lane, SlotReader reader) {
        slots.each(ring, lane, reader);
    }

    @Override
    public long pushed(long ring, long producer) {
        Turn last = known.get(ring).last();
        return last.producer() == producer
                ? last.number()
                : statements
                        .number(
                                "SELECT number FROM slipring_producer"
                                        + " WHERE ring = ? AND producer = ?",
                                ring,
                                producer)
                        .orElse(0);
    }

    @Override
    public void putPushed(long ring, long producer, long number) {
        Turn last = known.get(ring).last();
        if (last.producer() != producer) {
            takeTurn(ring, last, producer);
        }
        known.change(ring).last(new Turn(producer, number));
    }

    /** Another producer than the last one pushes: the last one gets a row of its own. */
    private void takeTurn(long ring, Turn last, long producer) {
        long now = clock.getAsLong();
        statements.update(
                "DELETE FROM slipring_producer WHERE ring = ? AND producer = ?", ring, producer);
        deleteOld(ring, producer, now - PRODUCER_MILLIS);
        if (last.producer() != 0) {
            statements.update(
                    "INSERT OR REPLACE INTO slipring_producer (ring, producer, number, seen_at)"
                            + " VALUES (?, ?, ?, ?)",
                    ring,
                    last.producer(),
                    last.number(),
                    now);
        }
    }

    /** Deletes some who pushed long ago: names are random, so each has its turn. */
    private void deleteOld(long ring, long from, long before) {
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

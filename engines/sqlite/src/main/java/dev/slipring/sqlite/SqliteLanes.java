// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.LaneTable;
import dev.slipring.ledger.SlotRow;
import dev.slipring.sqlite.KnownLanes.Turn;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Lanes and producers, read once, changed in memory, then written; and slots. */
final class SqliteLanes implements LaneTable {

    /** A producer asks for its number right after a push whose outcome it does not know. */
    private static final long PRODUCER_MILLIS = 24L * 60 * 60 * 1000;

    /** How many producers are looked at whenever another one pushes; most come once only. */
    private static final int FORGOTTEN_AT_ONCE = 16;

    private final Statements statements;
    private final SqliteSlots slots;
    private final LongSupplier clock;
    private final Map<Long, KnownLanes> known = new HashMap<>();
    private final Set<KnownLanes> changed = new LinkedHashSet<>();
    private long changes;
    private int size;

    SqliteLanes(Statements statements, Shelves shelves, Cells cells, LongSupplier clock) {
        this.statements = statements;
        this.slots = new SqliteSlots(statements, shelves, cells, this::gate);
        this.clock = clock;
    }

    /** How often anything was changed that {@link #write} has to write. */
    long changes() {
        return changes;
    }

    /** How many rows were read and changed since everything was forgotten. */
    int size() {
        return size;
    }

    /** Writes what was changed. */
    void write() {
        changed.forEach(lanes -> lanes.write(statements));
        changed.clear();
    }

    /** Forgets everything, written or not. */
    void forget() {
        known.clear();
        changed.clear();
        size = 0;
    }

    /** Forgets a ring, written or not. */
    void forget(long ring) {
        changed.remove(known.remove(ring));
    }

    /** Removes all slots of a lane. */
    void clear(long ring, int lane) {
        slots.clear(ring, lane);
    }

    private KnownLanes known(long ring) {
        return known.computeIfAbsent(ring, this::read);
    }

    private KnownLanes read(long ring) {
        KnownLanes found = KnownLanes.read(statements, ring);
        size += 1 + found.lanes().size();
        return found;
    }

    private KnownLanes changed(long ring) {
        KnownLanes found = known(ring);
        changed.add(found);
        changes++;
        size++;
        return found;
    }

    @Override
    public List<LaneRow> all(long ring) {
        return known(ring).lanes().all();
    }

    private long gate(long ring, int lane) {
        LaneRow row = known(ring).lanes().get(lane);
        return row == null ? 0 : row.gate();
    }

    @Override
    public void put(long ring, LaneRow lane) {
        changed(ring).lanes().put(lane.lane(), lane);
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
        Turn last = known(ring).last();
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
    public void pushed(long ring, long producer, long number) {
        Turn last = known(ring).last();
        if (last.producer() != producer) {
            takeTurn(ring, last, producer);
        }
        changed(ring).last(new Turn(producer, number));
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

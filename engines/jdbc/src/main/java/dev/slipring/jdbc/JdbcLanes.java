// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Slot;
import dev.slipring.graph.Shape;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.SlotRow;
import dev.slipring.ledger.SlotTable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Lanes, slots and producers: read from the state of a ring and from its slots. */
final class JdbcLanes implements SlotTable {

    private static final int WINDOW = 1_024;

    private final JdbcRows rows;
    private final Memo memo;
    private final long since;

    /** What this transaction appended or read, to be remembered if it commits. */
    private final Map<SlotCache.At, StoredSlot> seen = new HashMap<>();

    private final List<SlotCache.At> released = new ArrayList<>();
    private final Script writes = new Script();
    private Placing placing;

    JdbcLanes(JdbcRows rows, Memo memo) {
        this.rows = rows;
        this.memo = memo;
        since = memo.losses().get();
    }

    /** Remembers what is committed now. */
    void committed() {
        memo.learn(since, () -> memo.slots().keep(seen));
        released.forEach(at -> memo.slots().forget(at.ring(), at.lane(), at.turn()));
    }

    /** Adds what was appended and released. */
    void addTo(Script script) {
        script.add(writes);
        if (placing != null) {
            placing.addTo(script);
        }
    }

    @Override
    public List<Slot> place(Shape shape, List<Slot> slots) {
        placing = new Placing(rows.work(), rows.state(shape.id()), shape, memo.margins());
        return placing.place(slots);
    }

    @Override
    public List<LaneRow> all(long ring) {
        RingState state = rows.state(ring);
        if (placing == null) {
            state.all();
        }
        List<LaneRow> all = new ArrayList<>();
        state.lanes().forEach(lane -> all.add(lane.row()));
        return all;
    }

    @Override
    public LaneRow get(long ring, int lane) {
        return rows.lane(ring, lane).row();
    }

    /** What is appended and released has been counted already. */
    @Override
    public void put(long ring, LaneRow row) {
        LaneState lane = rows.state(ring).lane(row.lane());
        if (lane.isNew()) {
            Extent first = new Extent(0, 0, Cells.first(rows.shape().spec()));
            lane.begin(first);
            writes.add(rows.work().dialect().makeCells(ring, row.lane(), first));
        }
        lane.moveTo(row);
    }

    @Override
    public void append(long ring, SlotRow slot) {
        LaneState lane = rows.state(ring).lane(slot.lane());
        Cells.makeRoom(rows.work(), ring, rows.shape().spec(), lane, writes);
        long turn = lane.turn();
        int bytes = slot.body().length;
        Contents.write(rows.work(), ring, turn, Extent.at(lane.extents(), turn), slot, writes);
        seen.put(
                new SlotCache.At(ring, lane.number(), turn),
                new StoredSlot(turn, bytes, Contents.pieces(bytes, rows.work().piece()), slot));
        lane.appended(bytes);
    }

    @Override
    public List<SlotRow> slots(long ring, LaneRange range, long maxBytes) {
        return slots(ring, rows.lane(ring, range.lane()), range, maxBytes);
    }

    private List<SlotRow> slots(long ring, LaneState lane, LaneRange range, long maxBytes) {
        long from = range.from();
        long to = range.to();
        SlotReading reading = new SlotReading(rows.work(), memo.slots(), ring, lane);
        List<SlotRow> found = new ArrayList<>();
        long bytes = 0;
        long next = from;
        long turn = lane.turnAt(from);
        while (turn < lane.turn() && bytes < maxBytes) {
            List<StoredSlot> all =
                    reading.slots(turn, Math.max(1, Math.min(WINDOW, to - from)), from, to, true);
            if (all.isEmpty() && reading.isPast()) {
                break;
            }
            // As many of them, in their order, as the bytes allow.
            Iterator<StoredSlot> stored = all.iterator();
            for (SlotRow slot : Contents.read(rows.work(), ring, all, maxBytes - bytes)) {
                if (slot.first() > next) {
                    return found; // a slot is lost; who asked sees that what he needs is not there
                }
                next = slot.end();
                found.add(slot);
                remember(ring, stored.next(), slot);
                bytes += slot.body().length;
                if (bytes >= maxBytes) {
                    break;
                }
            }
            turn = reading.next();
        }
        return found;
    }

    private void remember(long ring, StoredSlot stored, SlotRow slot) {
        seen.put(new SlotCache.At(ring, slot.lane(), stored.turn()), stored.holding(slot));
    }

    @Override
    public long release(long ring, int number, long below) {
        LaneState lane = rows.lane(ring, number);
        if (below == Long.MAX_VALUE) {
            return purge(ring, lane);
        }
        SlotReading reading = new SlotReading(rows.work(), memo.slots(), ring, lane);
        long freed = 0;
        long window = 16;
        long turn = lane.oldestTurn();
        boolean more = true;
        while (more && turn < lane.turn()) {
            more = false;
            for (StoredSlot stored : reading.slots(turn, window, 0, below, false)) {
                more = stored.row().end() <= below;
                if (!more) {
                    break;
                }
                freed += stored.size();
                Contents.delete(ring, stored, writes);
                released.add(new SlotCache.At(ring, number, stored.turn()));
                lane.pass(stored);
            }
            turn = reading.next();
            window = Math.min(4 * window, 16 * WINDOW);
        }
        lane.released(freed);
        return freed;
    }

    /** Everything goes, also what has lost its slot, and what is left of one that is lost. */
    private long purge(long ring, LaneState lane) {
        Contents.deleteAll(ring, lane.number(), writes);
        return lane.releaseAll();
    }

    @Override
    public OptionalLong oldest(long ring, int number) {
        LaneState lane = rows.lane(ring, number);
        return lane.oldestTurn() < lane.turn()
                ? OptionalLong.of(lane.oldest())
                : OptionalLong.empty();
    }

    @Override
    public OptionalLong pushedSince(long ring, int number, long time) {
        LaneState lane = rows.lane(ring, number);
        SlotReading reading = new SlotReading(rows.work(), memo.slots(), ring, lane);
        for (long turn = lane.oldestTurn(); turn < lane.turn(); turn = reading.next()) {
            for (var stored : reading.slots(turn, WINDOW, 0, Long.MAX_VALUE, false)) {
                if (stored.row().pushedAt() >= time) {
                    return OptionalLong.of(stored.row().first());
                }
            }
        }
        return OptionalLong.empty();
    }

    @Override
    public OptionalLong pushedAt(long ring, int number, long position) {
        LaneState lane = rows.lane(ring, number);
        SlotReading reading = new SlotReading(rows.work(), memo.slots(), ring, lane);
        long turn = lane.turnAt(position);
        List<StoredSlot> found = List.of();
        while (found.isEmpty() && turn < lane.turn()) {
            found = reading.slots(turn, WINDOW, position, position + 1, false);
            turn = reading.next();
        }
        return found.stream().mapToLong(stored -> stored.row().pushedAt()).findFirst();
    }

    @Override
    public void each(long ring, int number, SlotReader reader) {
        LaneState lane = rows.lane(ring, number);
        SlotReading reading = new SlotReading(rows.work(), memo.slots(), ring, lane);
        StoredAudit audit = new StoredAudit(lane, reader);
        for (long turn = lane.oldestTurn(); turn < lane.turn(); turn = reading.next()) {
            var all = reading.slots(turn, 16, 0, Long.MAX_VALUE, true);
            audit.see(all, Contents.read(rows.work(), ring, all, Long.MAX_VALUE));
        }
        audit.end();
    }

    /**
     * A call begins where the row of the strand says; other rows, or what this transaction has read
     * before, do not help it.
     */
    @Override
    public boolean finds(Shape shape, ClaimRow claim) {
        LaneState known = rows.lane(shape.id(), claim.lane());
        LaneState lane = LaneState.upTo(claim.lane(), known.turn(), known.extents());
        lane.readBack(known.gate(), known.oldest(), known.oldestTurn(), 0, 0);
        rows.work()
                .look(
                        new Script()
                                .read(
                                        "SELECT anchor, anchor_turn, claims FROM slipring_strand"
                                                + " WHERE ring = ? AND lane = ? AND stage = ?",
                                        row -> LaneColumns.anchor(lane, claim, row),
                                        shape.id(),
                                        claim.lane(),
                                        claim.stage()));
        List<SlotRow> found =
                slots(
                        shape.id(),
                        lane,
                        new LaneRange(claim.lane(), claim.from(), claim.from() + 1),
                        1);
        return !found.isEmpty() && found.get(0).isWholeAt(claim.from());
    }

    @Override
    public long pushed(long ring, long producer) {
        if (placing != null) {
            return placing.pushed();
        }
        Answer<Long> number = new Answer<>(0L, row -> row.getLong(1));
        rows.work()
                .look(
                        new Script()
                                .read(
                                        "SELECT number FROM slipring_producer"
                                                + " WHERE ring = ? AND producer = ?",
                                        number,
                                        ring,
                                        producer));
        if (number.value() > 0) {
            rows.work().run(new Script().run(Placing.SEEN, ring, producer));
        }
        return number.value();
    }

    @Override
    public void putPushed(long ring, long producer, long number) {
        placing.putPushed(producer, number);
    }
}

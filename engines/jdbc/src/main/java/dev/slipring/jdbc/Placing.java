// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.Shape;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds the lanes that a push goes to, and locks their fronts. */
final class Placing {

    /**
     * Changes the row of a producer whose push was found, so that the commit writes to the log. The
     * push may have been cut off while it waited for a replica: then it can be read, and may be on
     * this server alone. What is written behind it waits for the replica in its place.
     */
    static final String SEEN =
            "UPDATE slipring_producer SET seen_at = seen_at + 1 WHERE ring = ? AND producer = ?";

    private final Work work;
    private final RingState state;
    private final Shape shape;
    private final Margins margins;
    private long asking;
    private long pushed;
    private boolean isKnown;
    private long producer;
    private long number;
    private boolean locked;
    private boolean hasAll;

    Placing(Work work, RingState state, Shape shape, Margins margins) {
        this.work = work;
        this.state = state;
        this.shape = shape;
        this.margins = margins;
    }

    /** The lanes whose fronts others have locked; locks the rest to the end of the work. */
    static Set<Integer> kept(Work work, Shape shape) {
        Set<Integer> kept = new TreeSet<>();
        for (int lane = 0; lane < shape.spec().lanes(); lane++) {
            kept.add(lane);
        }
        String fronts = work.dialect().select("lane", "slipring_lane", "ring = ?", Lock.SKIP);
        work.run(new Script().read(fronts, row -> kept.remove(row.getInt(1)), shape.id()));
        return kept;
    }

    /** The greatest number of the producer who pushes. */
    long pushed() {
        return pushed;
    }

    /** Keeps how far a producer is, to be written with the rest. */
    void putPushed(long newProducer, long newNumber) {
        producer = newProducer;
        number = newNumber;
    }

    /**
     * Adds the statements that write how far the producer is, or that its push was found, and,
     * where all lanes are locked, take back the room that each was given in advance. Fails if
     * another transaction has added the producer meanwhile.
     */
    void addTo(Script script) {
        if (hasAll) {
            work.dialect().takeRoomBack().ifPresent(sql -> takeRoomBack(script, sql));
        }
        if (producer != 0) {
            script.run(
                    isKnown
                            ? "UPDATE slipring_producer SET number = ?, seen_at = ?"
                                    + " WHERE ring = ? AND producer = ?"
                            : "INSERT INTO slipring_producer (number, seen_at, ring, producer)"
                                    + " VALUES (?, ?, ?, ?)",
                    number,
                    state.now(),
                    shape.id(),
                    producer);
        } else if (pushed > 0) {
            script.run(SEEN, shape.id(), asking);
        }
    }

    /**
     * In a caller's transaction a query over several rows may lock the gaps between them, so each
     * lane is named.
     */
    private void takeRoomBack(Script script, String sql) {
        if (work.isJoined()) {
            for (int lane = 0; lane < shape.spec().lanes(); lane++) {
                script.run(sql + " AND lane = ?", shape.id(), lane);
            }
        } else {
            script.run(sql, shape.id());
        }
    }

    List<Slot> place(List<Slot> slots) {
        SortedSet<Integer> lanes = new TreeSet<>();
        slots.forEach(slot -> lanes.add(slot.lane()));
        boolean anywhere =
                lanes.size() == 1
                        && slots.stream().noneMatch(slot -> SlotCodec.isKeyed(slot.body()));
        List<Slot> placed = slots;
        if (margins.isTight(shape.id())) {
            keepAll(slots);
        } else if (anywhere) {
            int lane = keepAny(slots);
            placed = slots.stream().map(slot -> in(lane, slot)).toList();
        } else {
            keep(lanes, Lock.UPDATE, slots);
        }
        boolean margin = margins.hasMargin(shape.id(), shape.spec(), state.lanes(), placed);
        if (!margin && state.lanes().size() > lanes.size() && !hasAll) {
            keepAllLater(slots);
        }
        return placed;
    }

    /** Little room is left: begins anew with all lanes, or, for a caller, takes the others too. */
    private void keepAllLater(List<Slot> slots) {
        if (!work.isJoined()) {
            throw new Stale("there is little room left");
        }
        keepAll(slots);
    }

    private void keepAll(List<Slot> slots) {
        SortedSet<Integer> all = new TreeSet<>();
        for (int lane = 0; lane < shape.spec().lanes(); lane++) {
            all.add(lane);
        }
        hasAll = true;
        keep(all, Lock.UPDATE, slots);
    }

    /**
     * Locks the lane of the slots, or the next one that is free; if none is, waits for the first.
     */
    private int keepAny(List<Slot> slots) {
        int wanted = slots.get(0).lane();
        int tries = work.mayLeaveOut() ? shape.spec().lanes() : 0;
        for (int i = 0; i < tries; i++) {
            int lane = (wanted + i) % shape.spec().lanes();
            keep(new TreeSet<>(List.of(lane)), Lock.SKIP, slots);
            if (locked) {
                return lane;
            }
        }
        keep(new TreeSet<>(List.of(wanted)), Lock.UPDATE, slots);
        return wanted;
    }

    private static Slot in(int lane, Slot slot) {
        return new Slot(lane, slot.producer(), slot.number(), slot.count(), slot.body());
    }

    private void keep(SortedSet<Integer> lanes, Lock lock, List<Slot> slots) {
        locked = false;
        Script script = new Script();
        for (int number : lanes) {
            LaneState lane = state.lane(number);
            script.read(
                    work.dialect()
                            .select(
                                    LaneColumns.FRONT,
                                    "slipring_lane",
                                    "ring = ? AND lane = ?",
                                    lock),
                    row -> {
                        locked = true;
                        lane.holdFront();
                        LaneColumns.front(lane, row, 1);
                    },
                    shape.id(),
                    number);
        }
        asking = slots.get(0).producer();
        if (asking != 0) {
            script.read(
                    work.dialect()
                            .select(
                                    "number",
                                    "slipring_producer",
                                    "ring = ? AND producer = ?",
                                    Lock.UPDATE),
                    row -> {
                        isKnown = true;
                        pushed = row.getLong(1);
                    },
                    shape.id(),
                    asking);
        }
        if (work.isJoined()) {
            state.verify(script, Lock.SHARE);
            work.run(script);
            // The caller's transaction may see an old state of the other lanes.
            script = new Script();
            state.readEnds(script);
            work.look(script);
        } else {
            state.readEnds(script);
            work.run(script);
        }
        state.checkVersion();
        state.checkEnds();
        if (!locked && lock == Lock.UPDATE) {
            throw new Stale("the lane is gone");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.graph.Shape;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/**
 * The lanes of a ring as one transaction sees them. Those that it has locked are up to date, the
 * others were a moment ago. Changes are made here and written back by {@link Writing}.
 */
final class RingState {

    private final Work work;
    private final Shape shape;
    private final long ring;
    private final TreeMap<Integer, LaneState> lanes = new TreeMap<>();
    private final Set<Integer> skipped = new HashSet<>();
    private final OneDatabase places = new OneDatabase();
    private boolean complete;
    private boolean seen;
    private long now;
    private int found;
    private int fronts;
    private int backs;

    /** The state of a ring in this shape, of which nothing else is known. */
    RingState(Work work, Shape shape) {
        this.work = work;
        this.shape = shape;
        ring = shape.id();
    }

    long ring() {
        return ring;
    }

    /** The store's time, when its state was read last. */
    long now() {
        return now;
    }

    /** Whether the ring was seen to have the version that this work relies on. */
    boolean isVerified() {
        return seen;
    }

    /** A new ring: it is all here. */
    void beginNew(long time) {
        complete = true;
        seen = true;
        now = time;
    }

    LaneState lane(int lane) {
        return lanes.computeIfAbsent(lane, LaneState::new);
    }

    /** The lanes that were seen so far, in order. */
    Collection<LaneState> lanes() {
        return lanes.values();
    }

    /** Whether this transaction has the back of a lane locked. */
    boolean holds(int lane) {
        return lanes.containsKey(lane) && lanes.get(lane).isBackHeld();
    }

    /** The lanes that were left out, since others have their backs locked. */
    Set<Integer> skipped() {
        return skipped;
    }

    /** All lanes, in order; looks at them if it has not yet. */
    Collection<LaneState> all() {
        if (!complete) {
            Script script = new Script();
            readStrands(script, row -> !lane(row.getInt(1)).isBackHeld());
            readEnds(script);
            work.look(script);
            sawAll();
        }
        return lanes.values();
    }

    /** All rows of the ring were read: so many must be there. */
    private void sawAll() {
        complete = true;
        checkVersion();
        checkEnds();
        if (!lanes.values().stream().allMatch(it -> it.hasAll(shape.spec().stages().names()))) {
            throw missing("strands of the ring are gone");
        }
    }

    /** Both ends of all lanes were read: so many must be there. */
    void checkEnds() {
        if (Math.min(fronts, backs) < shape.spec().lanes()) {
            throw missing("lanes of the ring are gone");
        }
    }

    /** Rows are missing: either they are lost, or the ring has changed meanwhile. */
    private Stale missing(String what) {
        LostRows.check(work::look, shape.spec().name());
        return new Stale(what);
    }

    /**
     * Reads both ends of all lanes, the time, and whether the ring still has the version that this
     * work relies on. Stands behind all that relies on it, as each statement sees what is committed
     * when it begins.
     */
    void readEnds(Script script) {
        seen = false;
        fronts = 0;
        backs = 0;
        script.read(
                "SELECT r.version, "
                        + work.dialect().now()
                        + ", l.lane, l.head, l.turn, l.bytes, l.extents,"
                        + " g.gate, g.first_position, g.turn, g.bytes, g.moves"
                        + placesOf(work.isJoined())
                        + " FROM slipring_ring r JOIN slipring_lane l ON l.ring = r.id"
                        + " JOIN slipring_gate g ON g.ring = l.ring AND g.lane = l.lane"
                        + " WHERE r.id = ?",
                row -> {
                    seen = row.getLong(1) == shape.version();
                    now = row.getLong(2);
                    fronts++;
                    backs++;
                    LaneState lane = lane(row.getInt(3));
                    lane.readCommitted(row.getLong(4), row.getLong(6));
                    if (lane.isFrontHeld()) {
                        places.seen(lane);
                    } else if (row.getLong(4) >= lane.head() && !lane.isFrontChanged()) {
                        LaneColumns.front(lane, row, 4);
                    }
                    if (work.isJoined()) {
                        places.ring(row, 13);
                    }
                    if (!lane.isBackHeld()) {
                        LaneColumns.back(lane, row, 8);
                    }
                },
                ring);
    }

    /** Locks the back of a lane. */
    void hold(int number) {
        keep(number, true);
    }

    /** Locks the back of a lane, unless others have it locked; returns whether it did. */
    boolean take(int number) {
        return keep(number, false);
    }

    private boolean keep(int number, boolean wait) {
        LaneState lane = lane(number);
        if (lane.isBackHeld()) {
            return true;
        }
        if (skipped.contains(number)) {
            return false;
        }
        found = 0;
        Script script = new Script();
        script.read(
                work.dialect()
                        .select(
                                LaneColumns.BACK,
                                "slipring_gate",
                                "ring = ? AND lane = ?",
                                wait || !work.mayLeaveOut() ? Lock.UPDATE : Lock.SKIP),
                row -> {
                    found++;
                    lane.forgetBack();
                    LaneColumns.back(lane, row, 1);
                },
                ring,
                number);
        if (work.isJoined()) {
            holdJoined(script, lane);
        } else if (complete) {
            verify(script, Lock.NONE);
            readFront(script, lane);
            readStrands(script, number);
            work.run(script);
        } else {
            readStrands(script, row -> true);
            readEnds(script);
            work.run(script);
            sawAll();
        }
        checkVersion();
        if (found > 0) {
            lane.holdBack();
        } else if (wait) {
            throw missing("lane " + number + " is gone");
        } else {
            skipped.add(number);
        }
        return found > 0;
    }

    private void holdJoined(Script script, LaneState lane) {
        verify(script, Lock.SHARE);
        for (String stage : shape.spec().stages().names()) {
            script.read(
                    work.dialect()
                            .select(
                                    LaneColumns.STRAND,
                                    "slipring_strand",
                                    "ring = ? AND lane = ? AND stage = ?",
                                    Lock.UPDATE),
                    row -> LaneColumns.strand(lane(row.getInt(1)), row),
                    ring,
                    lane.number(),
                    stage);
        }
        work.run(script);
        Script front = new Script();
        front.read(
                "SELECT l.head, l.turn, l.bytes, l.extents"
                        + placesOf(true)
                        + " FROM slipring_ring r JOIN slipring_lane l ON l.ring = r.id"
                        + " WHERE r.id = ? AND l.lane = ?",
                row -> {
                    LaneColumns.front(lane, row, 1);
                    places.ring(row, 5);
                },
                ring,
                lane.number());
        work.look(front);
    }

    private String placesOf(boolean wanted) {
        return wanted ? ", " + OneDatabase.columns(work.dialect()) : "";
    }

    private void readFront(Script script, LaneState lane) {
        script.read(
                "SELECT " + LaneColumns.FRONT + " FROM slipring_lane WHERE ring = ? AND lane = ?",
                row -> LaneColumns.front(lane, row, 1),
                ring,
                lane.number());
    }

    private void readStrands(Script script, int number) {
        script.read(
                "SELECT "
                        + LaneColumns.STRAND
                        + " FROM slipring_strand WHERE ring = ? AND lane = ?",
                row -> LaneColumns.strand(lane(row.getInt(1)), row),
                ring,
                number);
    }

    private void readStrands(Script script, RowTest test) {
        script.read(
                "SELECT " + LaneColumns.STRAND + " FROM slipring_strand WHERE ring = ?",
                row -> {
                    if (test.passes(row)) {
                        LaneColumns.strand(lane(row.getInt(1)), row);
                    }
                },
                ring);
    }

    private interface RowTest {
        boolean passes(ResultSet row) throws SQLException;
    }

    /**
     * Reads a lane without a lock. The back comes first: whoever finds later that it has not moved
     * knows that all of this still holds. Null if the ring has another version than this work
     * relies on.
     */
    LaneState look(int number) {
        LaneState lane = lane(number);
        Script script = new Script();
        script.read(
                work.dialect()
                        .select(
                                LaneColumns.BACK,
                                "slipring_gate",
                                "ring = ? AND lane = ?",
                                Lock.NONE),
                row -> LaneColumns.back(lane, row, 1),
                ring,
                number);
        verify(script, Lock.NONE);
        readStrands(script, number);
        readFront(script, lane);
        work.look(script);
        return seen ? lane : null;
    }

    /** Locks everything: all fronts, then all backs, then the ring. */
    void holdAll() {
        fronts = 0;
        backs = 0;
        Script script = new Script();
        script.read(
                work.dialect()
                        .select(
                                "lane, " + LaneColumns.FRONT,
                                "slipring_lane",
                                "ring = ? ORDER BY lane",
                                Lock.UPDATE),
                row -> {
                    fronts++;
                    LaneColumns.front(lane(row.getInt(1)), row, 2);
                },
                ring);
        script.read(
                work.dialect()
                        .select(
                                "lane, " + LaneColumns.BACK,
                                "slipring_gate",
                                "ring = ? ORDER BY lane",
                                Lock.UPDATE),
                row -> {
                    backs++;
                    LaneState lane = lane(row.getInt(1));
                    lane.forgetBack();
                    lane.holdBack();
                    LaneColumns.back(lane, row, 2);
                },
                ring);
        verify(script, Lock.UPDATE);
        readStrands(script, row -> true);
        work.run(script);
        sawAll();
    }

    /**
     * Adds a query of the time, and of whether the ring still has the version that this work relies
     * on.
     */
    void verify(Script script, Lock lock) {
        boolean ofCaller = work.isJoined() && lock != Lock.NONE;
        String setting = work.dialect().guest().callersSetting().map(", "::concat).orElse("");
        if (ofCaller) {
            places.askCaller();
        }
        script.read(
                work.dialect()
                        .select(
                                "version, "
                                        + work.dialect().now()
                                        + placesOf(ofCaller)
                                        + (ofCaller ? setting : ""),
                                "slipring_ring",
                                "id = ?" + (ofCaller ? work.dialect().guest().anyRow() : ""),
                                lock),
                row -> {
                    seen = row.getLong(1) == shape.version();
                    now = row.getLong(2);
                    if (ofCaller) {
                        places.caller(row, 3);
                        places.setting(setting.isEmpty() ? "nothing" : row.getString(5));
                    }
                },
                ring);
    }

    /**
     * Refuses a caller whose transaction is in another database; has the work begin anew if the
     * ring has another version.
     */
    void checkVersion() {
        places.check();
        if (!seen) {
            throw missing("the ring has changed its shape");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.graph.Shape;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.LaneTable;
import dev.slipring.ledger.SlotRow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Lanes, slots and producers as the ledger sees them: a slot that lies wholly below the gate has
 * left the ring, although it stands in its segment until that is emptied.
 */
final class PostgresLanes implements LaneTable {

    private static final String RING = "(SELECT r FROM slipring.ring r WHERE r.id = ?)";

    /** Slots of a lane that end behind a position. */
    private static final String BEHIND = "lane = v.a AND until > v.b";

    /** Of the slots of each segment, and then of all, the first alone. */
    private static final String ONE = " LIMIT 1";

    private final Statements statements;
    private final PostgresStrands strands;

    /** Gates that were moved here, by ring and lane. */
    private final Map<List<Long>, LaneRow> moved = new HashMap<>();

    PostgresLanes(Statements statements, PostgresStrands strands) {
        this.statements = statements;
        this.strands = strands;
    }

    @Override
    public List<LaneRow> all(long ring) {
        return between(ring, 0, Integer.MAX_VALUE);
    }

    @Override
    public LaneRow get(long ring, int lane) {
        List<LaneRow> found = between(ring, lane, lane);
        return found.isEmpty() ? null : found.get(0);
    }

    private List<LaneRow> between(long ring, int first, int last) {
        return statements.list(
                "SELECT l, e.until, e.total, slipring.bytes_below(x.r, l,"
                        + " coalesce(g.done, e.until)), coalesce(g.done, e.until)"
                        + " FROM (SELECT "
                        + RING
                        + " AS r) x, generate_series(?, least(?, (x.r).lanes - 1)) l,"
                        + " slipring.lane_end(x.r, l) e,"
                        + " LATERAL (SELECT min((slipring.strand_now((x.r).id, s.name,"
                        + " l)).done) AS done FROM slipring.stage s"
                        + " WHERE s.ring = (x.r).id) g ORDER BY l",
                row -> {
                    LaneRow here = moved.get(List.of(ring, row.getLong(1)));
                    return here != null
                            ? here
                            : new LaneRow(
                                    row.getInt(1),
                                    row.getLong(2),
                                    row.getLong(5),
                                    row.getLong(3) - row.getLong(4));
                },
                ring,
                first,
                last);
    }

    @Override
    public void put(long ring, LaneRow lane) {
        moved.put(List.of(ring, (long) lane.lane()), lane);
    }

    /** Tells everybody the gates that were moved; to be called when nothing can fail any more. */
    void flush() {
        moved.forEach(
                (key, lane) ->
                        statements.call(
                                "SELECT slipring.set_gate(r, x.lane, x.gate,"
                                        + " slipring.bytes_below(r, x.lane, x.gate))"
                                        + " FROM slipring.ring r,"
                                        + " (SELECT ?::int, ?::bigint) x (lane, gate)"
                                        + " WHERE r.id = ?",
                                lane.lane(),
                                lane.gate(),
                                key.get(0)));
        moved.clear();
    }

    @Override
    public long release(long ring, int lane, long below) {
        return 0;
    }

    @Override
    public OptionalLong oldest(long ring, int lane) {
        return statements.number(
                "SELECT first FROM (" + first(ring, BEHIND) + ") x", lane, gate(ring, lane), 0L);
    }

    /**
     * Its number tells that it was pushed at REPEATABLE READ: then it was put where the lane's
     * sequence stood.
     */
    @Override
    public boolean isBehindGap(SlotRow slot) {
        return slot.producer() == 0 && slot.number() < 0;
    }

    private long gate(long ring, int lane) {
        LaneRow here = moved.get(List.of(ring, (long) lane));
        return here != null ? here.gate() : strands.gate(ring, lane);
    }

    @Override
    public OptionalLong pushedSince(long ring, int lane, long time) {
        return statements.number(
                "SELECT first FROM ("
                        + first(ring, BEHIND + " AND pushed_at >= to_timestamp(v.c / 1000.0)")
                        + ") x",
                lane,
                gate(ring, lane),
                time);
    }

    @Override
    public OptionalLong pushedAt(long ring, int lane, long position) {
        return statements.number(
                "SELECT millis FROM (" + first(ring, BEHIND) + ") x WHERE first <= ?",
                lane,
                position,
                0L,
                position);
    }

    @Override
    public OptionalLong oldestPush(long ring, Map<Integer, Long> positions) {
        if (positions.isEmpty()) {
            return OptionalLong.empty();
        }
        String from = segments(ring, BEHIND + " ORDER BY until" + ONE);
        return statements.number(
                "SELECT min(x.millis) FROM unnest(?::int[], ?::bigint[]) v (a, b), LATERAL (SELECT"
                        + " until - n AS first, floor(extract(epoch FROM pushed_at) * 1000)::bigint"
                        + " AS millis FROM "
                        + from
                        + " s ORDER BY until LIMIT 1) x WHERE x.first <= v.b",
                positions.keySet().toArray(Integer[]::new),
                positions.values().toArray(Long[]::new));
    }

    @Override
    public void each(long ring, int lane, SlotReader reader) {
        statements.each(
                query(ring, BEHIND),
                row -> {
                    reader.slot(slot(lane, row));
                    return true;
                },
                lane,
                gate(ring, lane),
                0L);
    }

    /**
     * A claim of what is new looks from the segment on that the strand names; all else looks
     * everywhere. What would stand in front of the slot that is found was rolled back.
     */
    @Override
    public boolean finds(Shape shape, ClaimRow claim) {
        int lane = claim.lane();
        if (claim.epoch() <= strands.get(shape.id(), claim.stage(), lane).epoch()) {
            return true;
        }
        String ahead =
                statements.first(
                        "SELECT slipring.segments(r.id, s.seg, pg_sequence_last_value(r.turn), ?)"
                                + " FROM slipring.ring r, slipring.strand_now(r.id, ?, ?) s"
                                + " WHERE r.id = ?",
                        row -> row.getString(1),
                        BEHIND + " ORDER BY until" + ONE,
                        claim.stage(),
                        lane,
                        shape.id());
        OptionalLong there =
                statements.number(
                        "SELECT first FROM (" + first(shape.id(), BEHIND) + ") x",
                        lane,
                        claim.from(),
                        0L);
        return there.isEmpty()
                || ahead != null
                        && there.equals(
                                statements.number(
                                        "SELECT first FROM (" + query(ahead) + ONE + ") x",
                                        lane,
                                        claim.from(),
                                        0L));
    }

    /** The same for the first of the slots: the others are not read. */
    private String first(long ring, String which) {
        return query(ring, which + " ORDER BY until" + ONE) + ONE;
    }

    /** A query over the segments, which has a lane, a position and a time as its values. */
    private String query(long ring, String which) {
        return query(segments(ring, which));
    }

    private String segments(long ring, String which) {
        return statements.first(
                "SELECT slipring.all_segments(" + RING + ", ?)",
                row -> row.getString(1),
                ring,
                which);
    }

    /** The same over these segments. */
    private static String query(String from) {
        return "WITH v (a, b, c) AS (VALUES (?::int, ?::bigint, ?::bigint))"
                + " SELECT until - n AS first, n, producer, number,"
                + " floor(extract(epoch FROM pushed_at) * 1000)::bigint AS millis, body FROM v,"
                + " LATERAL "
                + from
                + " x ORDER BY until";
    }

    private static SlotRow slot(int lane, ResultSet row) throws SQLException {
        return new SlotRow(
                lane,
                row.getLong(1),
                row.getInt(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getBytes(6));
    }
}

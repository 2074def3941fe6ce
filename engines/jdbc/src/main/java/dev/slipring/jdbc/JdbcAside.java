// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.AsideCursor;
import dev.slipring.ledger.AsideHead;
import dev.slipring.ledger.AsideRow;
import dev.slipring.ledger.AsideTable;
import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.Portion;
import dev.slipring.sql.LedgerColumns;
import dev.slipring.sql.RowReader;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Messages set aside, dead or dropped. They are rare, so their rows are written at once. */
final class JdbcAside implements AsideTable {

    private static final String COLUMNS =
            "stage, lane, position, state, blocks, attempts, due, epoch, error, worker, failed_at,"
                    + " pushed_at, ";
    private static final String TABLE = "slipring_aside";
    private static final String AT = "ring = ? AND lane = ? AND stage = ? AND position = ?";
    private static final String PLACE = " WHERE " + AT;

    /** How many messages may be read together, however long they are. */
    private static final int FEW = 32;

    private final JdbcRows rows;

    JdbcAside(JdbcRows rows) {
        this.rows = rows;
    }

    /** The rows with their messages, by a condition on the ring and then on other values. */
    private List<AsideRow> list(long ring, String where, Object... others) {
        return read(
                "message",
                where,
                row -> LedgerColumns.aside(row, state(row)),
                row -> row.with(pieces().read(ring, row)),
                List.<Object[]>of(behind(ring, others)));
    }

    private static Object[] behind(long ring, Object... others) {
        return Stream.concat(Stream.of(ring), Stream.of(others)).toArray();
    }

    /** The rows of a ring without their messages, by several looks, each with its values. */
    private List<AsideHead> heads(long ring, String where, List<Object[]> looks) {
        return read(
                length(),
                where,
                row -> LedgerColumns.head(row, state(row)),
                head -> new AsideHead(head.row(), pieces().bytes(ring, head.row())),
                looks);
    }

    /** Rows with a last column; those whose message stands elsewhere are completed. */
    private <T> List<T> read(
            String last,
            String where,
            RowReader<T> reader,
            UnaryOperator<T> completes,
            List<Object[]> looks) {
        List<T> found = new ArrayList<>();
        List<Integer> inPieces = new ArrayList<>();
        String sql = select(COLUMNS + last + ", pieces", where);
        Script.OnRow collect =
                row -> {
                    if (row.getInt(14) > 0) {
                        inPieces.add(found.size());
                    }
                    found.add(reader.read(row));
                };
        Script script = new Script();
        looks.forEach(values -> script.read(sql, collect, values));
        rows.work().ask(script);
        inPieces.forEach(at -> found.set(at, completes.apply(found.get(at))));
        return found;
    }

    /**
     * The first rows of a query. A driver brings all rows at once, so the lengths of the messages
     * are asked first. A server reads a message to tell its length, so this asks about few, and
     * about more only if those are short.
     */
    private List<AsideRow> some(long ring, String where, Portion portion, Object... others) {
        int asked = 0;
        int some = 0;
        while (asked < portion.max() && some == asked) {
            asked = (int) Math.min(portion.max(), Math.max(FEW, 4L * asked));
            List<Long> sizes = new ArrayList<>();
            ask(
                    select(length() + ", pieces", where + limit(asked)),
                    row -> sizes.add(row.getLong(1) + (long) row.getInt(2) * rows.work().piece()),
                    behind(ring, others));
            some = fitting(sizes, portion);
        }
        return some == 0 ? List.of() : list(ring, where + limit(some), others);
    }

    /** How many of the first messages, which are so long, make up a portion; all if they do not. */
    private static int fitting(List<Long> sizes, Portion portion) {
        int some = 0;
        for (long bytes = 0; some < sizes.size() && !portion.isFull(some, bytes); some++) {
            bytes += sizes.get(some);
        }
        return some;
    }

    private String length() {
        return rows.work().dialect().bytesOf("message");
    }

    private String limit(int max) {
        return rows.work().dialect().limit(max);
    }

    private String select(String columns, String where) {
        return rows.work().dialect().select(columns, TABLE, where, rows.work().guarded());
    }

    private AsidePieces pieces() {
        return new AsidePieces(rows.work());
    }

    private void ask(String sql, Script.OnRow onRow, Object... values) {
        rows.work().ask(new Script().read(sql, onRow, values));
    }

    private static AsideRow first(List<AsideRow> found) {
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    public AsideRow get(long ring, String stage, int lane, long position) {
        return first(list(ring, AT, lane, stage, position));
    }

    /** Leaves out rows of lanes that this transaction may not lock. */
    private String others(long ring) {
        StringBuilder sql = new StringBuilder();
        rows.state(ring).skipped().forEach(lane -> sql.append(" AND lane <> ").append(lane));
        return sql.toString();
    }

    @Override
    public List<AsideRow> due(long ring, String stage, long now, Portion portion) {
        return some(
                ring,
                "ring = ? AND stage = ? AND state = 0 AND due <= ?"
                        + others(ring)
                        + " ORDER BY due, lane, position",
                portion,
                stage,
                now);
    }

    /** Those in no hand, and those in a hand, are each looked for in their piece of the index. */
    @Override
    public AsideRow firstWaiting(long ring, String stage, int lane) {
        String all = "ring = ? AND lane = ? AND stage = ? AND state = 0 AND epoch ";
        String none = "COALESCE(MIN(position), " + Long.MAX_VALUE + ")";
        long[] first = {Long.MAX_VALUE};
        Script.OnRow least = row -> first[0] = Math.min(first[0], row.getLong(1));
        Script script = new Script().read(select(none, all + "= 0"), least, ring, lane, stage);
        rows.work().ask(script.read(select(none, all + "> 0"), least, ring, lane, stage));
        AsideRow row = get(ring, stage, lane, first[0]);
        // Without a lock it may be dead by now.
        return row == null || row.state() != AsideRow.State.WAITING ? null : row;
    }

    @Override
    public OptionalLong nextDue(long ring, String stage) {
        boolean any =
                rows.strands().of(ring, stage).stream().anyMatch(strand -> strand.waiting() > 0);
        Answer<Long> due = new Answer<>(null, row -> row.getObject(1, Long.class));
        if (any) {
            ask(
                    "SELECT MIN(due) FROM slipring_aside"
                            + " WHERE ring = ? AND stage = ? AND state = 0"
                            + others(ring),
                    due,
                    ring,
                    stage);
        }
        return due.value() == null ? OptionalLong.empty() : OptionalLong.of(due.value());
    }

    /** Lane by lane, as the index goes: else all that waits would be read. */
    @Override
    public List<AsideHead> inHand(long ring, String stage) {
        List<Object[]> lanes =
                rows.strands().of(ring, stage).stream()
                        .filter(strand -> strand.waiting() > 0)
                        .map(strand -> new Object[] {ring, strand.lane(), stage})
                        .toList();
        return heads(
                ring,
                "ring = ? AND lane = ? AND stage = ? AND state = 0 AND epoch > 0"
                        + " ORDER BY position",
                lanes);
    }

    @Override
    public List<AsideRow> inHand(long ring, String stage, int lane, long epoch) {
        return list(
                ring,
                "ring = ? AND lane = ? AND stage = ? AND epoch = ? AND epoch > 0 AND state = 0"
                        + " ORDER BY position",
                lane,
                stage,
                epoch);
    }

    @Override
    public List<Long> positions(long ring, Collection<String> stages, LaneRange range) {
        return in("", ring, stages, range);
    }

    @Override
    public List<Long> blocked(long ring, Collection<String> stages, LaneRange range) {
        return in(" AND blocks = 1", ring, stages, range);
    }

    private List<Long> in(String which, long ring, Collection<String> stages, LaneRange range) {
        List<Long> found = new ArrayList<>();
        String where = "ring = ? AND lane = ? AND stage = ? AND position >= ? AND position < ?";
        String sql = select("position", where + which + " ORDER BY position");
        Script script = new Script();
        for (String stage : stages) {
            script.read(
                    sql,
                    row -> found.add(row.getLong(1)),
                    ring,
                    range.lane(),
                    stage,
                    range.from(),
                    range.to());
        }
        rows.work().ask(script);
        return found;
    }

    @Override
    public List<AsideHead> heads(long ring, String stage, int lane, AsideRow.State state) {
        return heads(
                ring,
                "ring = ? AND lane = ? AND stage = ? AND state = ? ORDER BY position",
                List.<Object[]>of(new Object[] {ring, lane, stage, state.ordinal()}));
    }

    @Override
    public List<AsideRow> page(long ring, AsideCursor from, Portion portion) {
        return some(
                ring,
                "ring = ? AND lane = ? AND stage = ? AND state = ? AND position > ?"
                        + " ORDER BY position",
                portion,
                from.lane(),
                from.stage(),
                from.state().ordinal(),
                from.behind());
    }

    private boolean isThere(long ring, AsideRow row) {
        Answer<Boolean> there = new Answer<>(false, found -> true);
        ask(select("state", AT), there, place(ring, row));
        return there.value();
    }

    @Override
    public void put(long ring, AsideRow row) {
        boolean dropped = row.state() == AsideRow.State.DROPPED;
        Script script = new Script();
        if (!isThere(ring, row)) {
            insert(script, ring, row);
        } else {
            script.run(
                    "UPDATE slipring_aside SET state = ?, blocks = ?, attempts = ?, due = ?,"
                            + " epoch = ?, error = ?, worker = ?, failed_at = ?, pushed_at = ?"
                            + (dropped
                                    ? ", message = "
                                            + rows.work().dialect().noBytes()
                                            + ", pieces = 0"
                                    : "")
                            + PLACE,
                    values(ring, row));
            if (dropped) {
                pieces().delete(script, place(ring, row));
            }
        }
        rows.work().run(script);
    }

    private static Object[] place(long ring, AsideRow row) {
        return new Object[] {ring, row.lane(), row.stage(), row.position()};
    }

    private static Object[] values(long ring, AsideRow row, Object... more) {
        List<Object> values = new ArrayList<>();
        values.add(row.state().ordinal());
        values.add(row.blocks() ? 1 : 0);
        values.add(row.attempts());
        values.add(row.due());
        values.add(row.epoch());
        values.add(row.error());
        values.add(row.worker());
        values.add(row.failedAt());
        values.add(row.pushedAt());
        values.addAll(List.of(place(ring, row)));
        values.addAll(List.of(more));
        return values.toArray();
    }

    private void insert(Script script, long ring, AsideRow row) {
        byte[] message = row.message();
        int pieces = pieces().count(message);
        script.run(
                "INSERT INTO slipring_aside (state, blocks, attempts, due, epoch, error, worker,"
                        + " failed_at, pushed_at, ring, lane, stage, position, message, pieces)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values(ring, row, pieces == 0 ? message : new byte[0], pieces));
        pieces().write(script, ring, row);
    }

    @Override
    public void delete(long ring, AsideRow row) {
        Script script = new Script();
        delete(script, place(ring, row));
        rows.work().run(script);
    }

    private void delete(Script script, Object... place) {
        script.run("DELETE FROM slipring_aside" + PLACE, place);
        pieces().delete(script, place);
    }

    @Override
    public void deleteAll(long ring, String stage) {
        Script script =
                new Script()
                        .run(
                                "DELETE FROM slipring_aside WHERE ring = ? AND stage = ?",
                                ring,
                                stage);
        AsidePieces.deleteAll(script, ring, stage);
        rows.work().run(script);
    }

    @Override
    public long deleteDropped(long ring, String stage, LaneRange range) {
        Set<Long> gone = new TreeSet<>();
        ask(
                select(
                        "position",
                        "ring = ? AND lane = ? AND stage = ? AND position >= ? AND position < ?"
                                + " AND state = 2"),
                row -> gone.add(row.getLong(1)),
                ring,
                range.lane(),
                stage,
                range.from(),
                range.to());
        gone.removeAll(kept(ring, range.lane(), gone));
        Script script = new Script();
        gone.forEach(position -> delete(script, ring, range.lane(), stage, position));
        rows.work().run(script);
        return gone.size();
    }

    /** Those positions at which any stage keeps the message itself. */
    private Set<Long> kept(long ring, int lane, Collection<Long> positions) {
        Set<Long> kept = new HashSet<>();
        Script script = new Script();
        String sql = select("position", AT + " AND state <> 2");
        for (long position : positions) {
            for (String stage : rows.shape().spec().stages().names()) {
                script.read(sql, row -> kept.add(position), ring, lane, stage, position);
            }
        }
        rows.work().ask(script);
        return kept;
    }

    private static AsideRow.State state(ResultSet row) throws SQLException {
        return AsideRow.State.values()[row.getInt(4)];
    }
}

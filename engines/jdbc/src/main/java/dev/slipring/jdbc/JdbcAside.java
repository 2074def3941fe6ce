// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.AsideRow;
import dev.slipring.ledger.AsideTable;
import dev.slipring.sql.LedgerRows;

import java.io.ByteArrayOutputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Messages set aside, dead or dropped. They are rare, so their rows are written at once. */
final class JdbcAside implements AsideTable {

    private static final String ROW =
            "stage, lane, position, state, blocks, attempts, due, epoch, error, worker, failed_at,"
                    + " pushed_at, message, pieces";
    private static final String TABLE = "slipring_aside";
    private static final String AT = "ring = ? AND lane = ? AND stage = ? AND position = ?";
    private static final String PLACE = " WHERE " + AT;

    private final JdbcRows rows;

    JdbcAside(JdbcRows rows) {
        this.rows = rows;
    }

    private List<AsideRow> list(String where, long maxBytes, Object... values) {
        List<AsideRow> found = new ArrayList<>();
        Set<AsideRow> pieces = Collections.newSetFromMap(new IdentityHashMap<>());
        long ring = (Long) values[0];
        long[] bytes = {0};
        String sql = rows.work().dialect().select(ROW, TABLE, where, rows.work().guarded());
        ask(
                new Script()
                        .read(
                                sql,
                                row -> {
                                    if (bytes[0] < maxBytes) {
                                        found.add(row(row));
                                        AsideRow last = found.get(found.size() - 1);
                                        bytes[0] += last.message().length;
                                        if (row.getInt(14) > 0) {
                                            bytes[0] += (long) row.getInt(14) * rows.work().piece();
                                            pieces.add(last);
                                        }
                                    }
                                },
                                values));
        return pieces.isEmpty() ? found : whole(ring, found, pieces);
    }

    /** The rows with the messages that are too large for a row. */
    private List<AsideRow> whole(long ring, List<AsideRow> found, Set<AsideRow> inPieces) {
        List<AsideRow> whole = new ArrayList<>();
        for (AsideRow row : found) {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            if (inPieces.contains(row)) {
                ask(
                        new Script()
                                .read(
                                        rows.work()
                                                .dialect()
                                                .select(
                                                        "data",
                                                        "slipring_aside_piece",
                                                        AT + " ORDER BY piece",
                                                        rows.work().guarded()),
                                        piece -> message.writeBytes(piece.getBytes(1)),
                                        place(ring, row)));
            }
            whole.add(message.size() == 0 ? row : with(row, message.toByteArray()));
        }
        return whole;
    }

    private static AsideRow with(AsideRow row, byte[] message) {
        return new AsideRow(
                row.stage(),
                row.lane(),
                row.position(),
                row.state(),
                row.blocks(),
                row.attempts(),
                row.due(),
                row.epoch(),
                row.error(),
                row.worker(),
                row.failedAt(),
                row.pushedAt(),
                message);
    }

    /** Rows that this transaction may have changed are read inside of it. */
    private void ask(Script script) {
        if (rows.work().isJoined()) {
            rows.work().run(script);
        } else {
            rows.work().look(script);
        }
    }

    private static AsideRow first(List<AsideRow> found) {
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    public AsideRow get(long ring, String stage, int lane, long position) {
        return first(list(AT, Long.MAX_VALUE, ring, lane, stage, position));
    }

    /** Leaves out the lanes that this transaction may not have. */
    private String others(long ring) {
        StringBuilder sql = new StringBuilder();
        rows.state(ring).skipped.forEach(lane -> sql.append(" AND lane <> ").append(lane));
        return sql.toString();
    }

    @Override
    public List<AsideRow> due(long ring, String stage, long now, int max, long maxBytes) {
        return list(
                "ring = ? AND stage = ? AND state = 0 AND due <= ?"
                        + others(ring)
                        + " ORDER BY due, lane, position"
                        + rows.work().dialect().limit(max),
                maxBytes,
                ring,
                stage,
                now);
    }

    @Override
    public AsideRow firstWaiting(long ring, String stage, int lane) {
        return first(
                list(
                        "ring = ? AND lane = ? AND stage = ? AND state = 0 ORDER BY position"
                                + rows.work().dialect().limit(1),
                        Long.MAX_VALUE,
                        ring,
                        lane,
                        stage));
    }

    @Override
    public OptionalLong nextDue(long ring, String stage) {
        boolean any =
                rows.strands().of(ring, stage).stream().anyMatch(strand -> strand.waiting() > 0);
        long[] due = {Long.MAX_VALUE};
        if (any) {
            ask(
                    new Script()
                            .read(
                                    "SELECT MIN(due) FROM slipring_aside"
                                            + " WHERE ring = ? AND stage = ? AND state = 0"
                                            + others(ring),
                                    row -> {
                                        long next = row.getLong(1);
                                        due[0] = row.wasNull() ? Long.MAX_VALUE : next;
                                    },
                                    ring,
                                    stage));
        }
        return due[0] == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(due[0]);
    }

    @Override
    public List<AsideRow> inHand(long ring, String stage) {
        return list(
                "ring = ? AND stage = ? AND state = 0 AND epoch > 0 ORDER BY lane, position",
                Long.MAX_VALUE,
                ring,
                stage);
    }

    @Override
    public List<AsideRow> inHand(long ring, String stage, int lane, long epoch) {
        return list(
                "ring = ? AND lane = ? AND stage = ? AND epoch = ? AND epoch > 0 AND state = 0"
                        + " ORDER BY position",
                Long.MAX_VALUE,
                ring,
                lane,
                stage,
                epoch);
    }

    @Override
    public List<Long> positions(
            long ring,
            Collection<String> stages,
            int lane,
            long from,
            long to,
            boolean blockingOnly) {
        List<Long> found = new ArrayList<>();
        Script script = new Script();
        for (String stage : stages) {
            script.read(
                    rows.work()
                            .dialect()
                            .select(
                                    "position",
                                    TABLE,
                                    "ring = ? AND lane = ? AND stage = ? AND position >= ?"
                                            + " AND position < ? AND blocks >= ? ORDER BY position",
                                    rows.work().guarded()),
                    row -> found.add(row.getLong(1)),
                    ring,
                    lane,
                    stage,
                    from,
                    to,
                    blockingOnly ? 1 : 0);
        }
        ask(script);
        return found;
    }

    @Override
    public List<AsideRow> list(long ring, String stage, AsideRow.State state, int max) {
        return list(
                "ring = ? AND stage = ? AND state = ? ORDER BY lane, position"
                        + rows.work().dialect().limit(max),
                Long.MAX_VALUE,
                ring,
                stage,
                state.ordinal());
    }

    /**
     * Whether a row is there, as far as it is committed: what a caller's transaction has put in it
     * does not put again. A locking read of what is not there would keep others from its gap.
     */
    private boolean isThere(long ring, AsideRow row) {
        boolean[] there = {false};
        String sql = "SELECT state FROM slipring_aside" + PLACE;
        rows.work().look(new Script().read(sql, found -> there[0] = true, place(ring, row)));
        return there[0];
    }

    /** A message never changes; it goes when only its position matters. */
    @Override
    public void put(long ring, AsideRow row) {
        Script script = new Script();
        if (!isThere(ring, row)) {
            insert(script, ring, row);
        } else {
            script.run(
                    "UPDATE slipring_aside SET state = ?, blocks = ?, attempts = ?, due = ?,"
                            + " epoch = ?, error = ?, worker = ?, failed_at = ?, pushed_at = ?"
                            + (row.message().length == 0
                                    ? ", message = "
                                            + rows.work().dialect().noBytes()
                                            + ", pieces = 0"
                                    : "")
                            + PLACE,
                    values(ring, row));
            if (row.message().length == 0) {
                script.run("DELETE FROM slipring_aside_piece" + PLACE, place(ring, row));
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
        int size = rows.work().piece();
        int pieces = message.length <= size ? 0 : Contents.pieces(message.length, size);
        script.run(
                "INSERT INTO slipring_aside (state, blocks, attempts, due, epoch, error, worker,"
                        + " failed_at, pushed_at, ring, lane, stage, position, message, pieces)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values(ring, row, pieces == 0 ? message : new byte[0], pieces));
        for (int piece = 0; piece < pieces; piece++) {
            int from = piece * size;
            script.run(
                    "INSERT INTO slipring_aside_piece (ring, lane, stage, position, piece, data)"
                            + " VALUES (?, ?, ?, ?, ?, ?)",
                    ring,
                    row.lane(),
                    row.stage(),
                    row.position(),
                    piece,
                    Arrays.copyOfRange(message, from, Math.min(from + size, message.length)));
        }
    }

    @Override
    public void delete(long ring, String stage, int lane, long position) {
        Object[] place = {ring, lane, stage, position};
        rows.work()
                .run(
                        new Script()
                                .run("DELETE FROM slipring_aside" + PLACE, place)
                                .run("DELETE FROM slipring_aside_piece" + PLACE, place));
    }

    @Override
    public void deleteAll(long ring, String stage) {
        String all = " WHERE ring = ? AND stage = ?";
        rows.work()
                .run(
                        new Script()
                                .run("DELETE FROM slipring_aside" + all, ring, stage)
                                .run("DELETE FROM slipring_aside_piece" + all, ring, stage));
    }

    @Override
    public long deleteDropped(long ring, String stage, int lane, long below) {
        List<Long> gone = new ArrayList<>();
        ask(
                new Script()
                        .read(
                                rows.work()
                                        .dialect()
                                        .select(
                                                "position",
                                                TABLE,
                                                "ring = ? AND lane = ? AND stage = ?"
                                                        + " AND position < ? AND state = 2",
                                                rows.work().guarded()),
                                row -> gone.add(row.getLong(1)),
                                ring,
                                lane,
                                stage,
                                below));
        gone.removeIf(position -> isKept(ring, lane, position));
        gone.forEach(position -> delete(ring, stage, lane, position));
        return gone.size();
    }

    /** Whether any stage keeps the message itself. */
    private boolean isKept(long ring, int lane, long position) {
        boolean[] kept = {false};
        Script script = new Script();
        for (String stage : rows.shape().spec().stages().names()) {
            script.read(
                    rows.work().dialect().select("state", TABLE, AT, rows.work().guarded()),
                    row -> kept[0] |= row.getInt(1) != AsideRow.State.DROPPED.ordinal(),
                    ring,
                    lane,
                    stage,
                    position);
        }
        ask(script);
        return kept[0];
    }

    private static AsideRow row(ResultSet row) throws SQLException {
        return LedgerRows.aside(row, AsideRow.State.values()[row.getInt(4)]);
    }
}

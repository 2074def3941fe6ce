// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.ledger.AsideRow;
import dev.slipring.ledger.AsideTable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Messages set aside, dead or dropped, in SQL. */
final class PostgresAside implements AsideTable {

    private static final String ROW =
            "SELECT stage, lane, position, state, blocks, attempts,"
                    + " (extract(epoch FROM due) * 1000)::bigint, epoch, error, worker,"
                    + " (extract(epoch FROM failed_at) * 1000)::bigint,"
                    + " (extract(epoch FROM pushed_at) * 1000)::bigint, message"
                    + " FROM slipring.aside ";

    private final Statements statements;

    PostgresAside(Statements statements) {
        this.statements = statements;
    }

    @Override
    public AsideRow get(long ring, String stage, int lane, long position) {
        return statements.first(
                ROW + "WHERE ring = ? AND stage = ? AND lane = ? AND position = ?",
                PostgresAside::row,
                ring,
                stage,
                lane,
                position);
    }

    @Override
    public List<AsideRow> due(long ring, String stage, long now, int max, long maxBytes) {
        List<AsideRow> due = new ArrayList<>();
        long[] bytes = {0};
        statements.each(
                ROW
                        + "WHERE ring = ? AND stage = ? AND state = 'waiting' AND due <="
                        + " to_timestamp(? / 1000.0) ORDER BY due, lane, position LIMIT ?",
                row -> {
                    due.add(row(row));
                    bytes[0] += due.get(due.size() - 1).message().length;
                    return bytes[0] < maxBytes;
                },
                ring,
                stage,
                now,
                max);
        return due;
    }

    @Override
    public AsideRow firstWaiting(long ring, String stage, int lane) {
        return statements.first(
                ROW
                        + "WHERE ring = ? AND stage = ? AND lane = ?"
                        + " AND state = 'waiting' ORDER BY position LIMIT 1",
                PostgresAside::row,
                ring,
                stage,
                lane);
    }

    @Override
    public OptionalLong nextDue(long ring, String stage) {
        return statements.number(
                "SELECT (extract(epoch FROM min(due)) * 1000)::bigint FROM slipring.aside"
                        + " WHERE ring = ? AND stage = ? AND state = 'waiting'",
                ring,
                stage);
    }

    @Override
    public List<AsideRow> inHand(long ring, String stage, int lane, long epoch) {
        return statements.list(
                ROW
                        + "WHERE ring = ? AND stage = ? AND lane = ? AND epoch = ?"
                        + " AND epoch > 0 AND state = 'waiting' ORDER BY position",
                PostgresAside::row,
                ring,
                stage,
                lane,
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
        for (String stage : stages) {
            found.addAll(
                    statements.list(
                            "SELECT position FROM slipring.aside WHERE ring = ? AND stage = ? AND"
                                + " lane = ? AND position >= ? AND position < ? AND (blocks OR NOT"
                                + " ?) ORDER BY position",
                            row -> row.getLong(1),
                            ring,
                            stage,
                            lane,
                            from,
                            to,
                            blockingOnly));
        }
        return found;
    }

    @Override
    public List<AsideRow> list(long ring, String stage, AsideRow.State state, int max) {
        return statements.list(
                ROW
                        + "WHERE ring = ? AND stage = ? AND state = ?"
                        + " ORDER BY lane, position LIMIT ?",
                PostgresAside::row,
                ring,
                stage,
                word(state),
                max);
    }

    @Override
    public void put(long ring, AsideRow row) {
        Object[] values = {
            word(row.state()),
            row.blocks(),
            row.attempts(),
            row.due(),
            row.epoch(),
            row.error(),
            row.worker(),
            row.failedAt(),
            row.pushedAt(),
            row.message(),
            ring,
            row.stage(),
            row.lane(),
            row.position()
        };
        statements.update(
                "INSERT INTO slipring.aside (state, blocks, attempts, due, epoch, error, worker,"
                        + " failed_at, pushed_at, message, ring, stage, lane, position)"
                        + " VALUES (?, ?, ?, to_timestamp(? / 1000.0), ?, ?, ?,"
                        + " to_timestamp(? / 1000.0), to_timestamp(? / 1000.0), ?, ?, ?, ?, ?)"
                        + " ON CONFLICT (ring, stage, lane, position) DO UPDATE SET"
                        + " state = excluded.state, blocks = excluded.blocks,"
                        + " attempts = excluded.attempts, due = excluded.due,"
                        + " epoch = excluded.epoch, error = excluded.error,"
                        + " worker = excluded.worker, failed_at = excluded.failed_at,"
                        + " pushed_at = excluded.pushed_at, message = excluded.message",
                values);
    }

    @Override
    public void delete(long ring, String stage, int lane, long position) {
        statements.update(
                "DELETE FROM slipring.aside WHERE ring = ? AND stage = ? AND lane = ?"
                        + " AND position = ?",
                ring,
                stage,
                lane,
                position);
    }

    @Override
    public void deleteAll(long ring, String stage) {
        statements.update("DELETE FROM slipring.aside WHERE ring = ? AND stage = ?", ring, stage);
    }

    @Override
    public long deleteDropped(long ring, String stage, int lane, long below) {
        return statements.update(
                "DELETE FROM slipring.aside WHERE ring = ? AND stage = ?"
                        + " AND lane = ? AND position < ? AND state = 'dropped'"
                        + " AND NOT EXISTS (SELECT 1 FROM slipring.aside AS kept"
                        + " WHERE kept.ring = slipring.aside.ring"
                        + " AND kept.lane = slipring.aside.lane"
                        + " AND kept.position = slipring.aside.position"
                        + " AND kept.state <> 'dropped')",
                ring,
                stage,
                lane,
                below);
    }

    private static String word(AsideRow.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static AsideRow row(ResultSet row) throws SQLException {
        return new AsideRow(
                row.getString(1),
                row.getInt(2),
                row.getLong(3),
                AsideRow.State.valueOf(row.getString(4).toUpperCase(Locale.ROOT)),
                row.getBoolean(5),
                row.getInt(6),
                row.getLong(7),
                row.getLong(8),
                row.getString(9),
                row.getString(10),
                row.getLong(11),
                row.getLong(12),
                row.getBytes(13));
    }
}

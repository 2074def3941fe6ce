// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import dev.slipring.ledger.AsideCursor;
import dev.slipring.ledger.AsideHead;
import dev.slipring.ledger.AsideRow;
import dev.slipring.ledger.AsideTable;
import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.Portion;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Messages set aside, dead or dropped, a row each.
 *
 * <p>Their states are the words {@code waiting}, {@code dead} and {@code dropped}. Engines differ
 * in the name of the table and in how it keeps a time; each statement is put together once.
 */
public class SqlAside implements AsideTable {

    private static final String SELECT =
            "SELECT stage, lane, position, state, blocks, attempts, {due}, epoch, error, worker,"
                    + " {failed_at}, {pushed_at}, ";
    private static final String FROM = " FROM {table} WHERE ring = ? AND stage = ?";
    private static final String ROW = SELECT + "message" + FROM;
    private static final String HEAD = SELECT + "length(message)" + FROM;
    private static final String PAGE =
            " AND lane = ? AND state = ? AND position > ? ORDER BY position LIMIT ?";
    private static final String POSITIONS =
            "SELECT position" + FROM + " AND lane = ? AND position >= ? AND position < ?";
    private static final String ORDER = " ORDER BY position";
    private static final String PLACE =
            " WHERE ring = ? AND stage = ? AND lane = ? AND position = ?";

    private final Queries queries;
    private final Times times;
    private final String table;
    private final String get;
    private final String due;
    private final String firstWaiting;
    private final String nextDue;
    private final String inHand;
    private final String inHandOf;
    private final String positions;
    private final String blocked;
    private final String heads;
    private final String sizes;
    private final String page;
    private final String put;
    private final String delete;
    private final String deleteAll;
    private final String deleteDropped;

    /**
     * How a table keeps a time.
     *
     * @param reads the milliseconds of an expression: a format with one place
     * @param writes a value of milliseconds
     */
    public record Times(String reads, String writes) {}

    /**
     * Messages set aside.
     *
     * @param queries the connection's
     * @param table the table's name, quoted where it has to be
     * @param times how it keeps a time
     */
    public SqlAside(Queries queries, String table, Times times) {
        this(queries, table, times, table);
    }

    /**
     * Messages set aside, of a database that has to be told by which index it finds what claims
     * have in hand.
     *
     * @param handTable the table with that index
     */
    protected SqlAside(Queries queries, String table, Times times, String handTable) {
        this.queries = queries;
        this.table = table;
        this.times = times;
        get = sql(ROW + " AND lane = ? AND position = ?");
        due =
                sql(
                        ROW
                                + " AND state = 'waiting' AND due <= {time}"
                                + " ORDER BY due, lane, position LIMIT ?");
        firstWaiting = sql(ROW + " AND lane = ? AND state = 'waiting' ORDER BY position LIMIT 1");
        nextDue =
                sql(
                        "SELECT {min(due)} FROM {table}"
                                + " WHERE ring = ? AND stage = ? AND state = 'waiting'");
        inHand =
                sql(
                        (HEAD + " AND epoch > 0 AND state = 'waiting' ORDER BY lane, position")
                                .replace("{table}", handTable));
        inHandOf =
                sql(
                        ROW
                                + " AND lane = ? AND epoch = ? AND epoch > 0 AND state = 'waiting'"
                                + " ORDER BY position");
        positions = sql(POSITIONS + ORDER);
        blocked = sql(POSITIONS + " AND blocks" + ORDER);
        heads = sql(HEAD + " AND lane = ? AND state = ? ORDER BY position");
        sizes = sql("SELECT length(message)" + FROM + PAGE);
        page = sql(ROW + PAGE);
        put =
                sql(
                        "INSERT INTO {table} AS old (state, blocks, attempts, due, epoch, error,"
                            + " worker, failed_at, pushed_at, message, ring, stage, lane, position)"
                            + " VALUES (?, ?, ?, {time}, ?, ?, ?, {time}, {time}, ?, ?, ?, ?, ?) ON"
                            + " CONFLICT (ring, stage, lane, position) DO UPDATE SET state ="
                            + " excluded.state, blocks = excluded.blocks, attempts ="
                            + " excluded.attempts, due = excluded.due, epoch = excluded.epoch,"
                            + " error = excluded.error, worker = excluded.worker, failed_at ="
                            + " excluded.failed_at, pushed_at = excluded.pushed_at, message = CASE"
                            + " WHEN excluded.state = 'dropped' THEN excluded.message ELSE"
                            + " old.message END");
        delete = sql("DELETE FROM {table}" + PLACE);
        deleteAll = sql("DELETE FROM {table} WHERE ring = ? AND stage = ?");
        deleteDropped =
                sql(
                        "DELETE FROM {table} AS gone WHERE ring = ? AND stage = ? AND lane = ?"
                                + " AND position >= ? AND position < ? AND state = 'dropped'"
                                + " AND NOT EXISTS (SELECT 1 FROM {table} AS kept"
                                + " WHERE kept.ring = gone.ring AND kept.lane = gone.lane"
                                + " AND kept.position = gone.position"
                                + " AND kept.state <> 'dropped')");
    }

    private String sql(String text) {
        String words = text.replace("{table}", table).replace("{time}", times.writes());
        for (String column : List.of("due", "failed_at", "pushed_at", "min(due)")) {
            words = words.replace("{" + column + "}", times.reads().replace("%s", column));
        }
        return words;
    }

    @Override
    public AsideRow get(long ring, String stage, int lane, long position) {
        return queries.first(get, SqlAside::row, ring, stage, lane, position);
    }

    @Override
    public List<AsideRow> due(long ring, String stage, long now, Portion portion) {
        List<AsideRow> found = new ArrayList<>();
        long[] bytes = {0};
        queries.each(
                due,
                row -> {
                    found.add(row(row));
                    bytes[0] += found.get(found.size() - 1).message().length;
                    return !portion.isFull(found.size(), bytes[0]);
                },
                ring,
                stage,
                now,
                portion.max());
        return found;
    }

    @Override
    public AsideRow firstWaiting(long ring, String stage, int lane) {
        return queries.first(firstWaiting, SqlAside::row, ring, stage, lane);
    }

    @Override
    public OptionalLong nextDue(long ring, String stage) {
        return queries.number(nextDue, ring, stage);
    }

    @Override
    public List<AsideHead> inHand(long ring, String stage) {
        return queries.list(inHand, SqlAside::head, ring, stage);
    }

    @Override
    public List<AsideRow> inHand(long ring, String stage, int lane, long epoch) {
        return queries.list(inHandOf, SqlAside::row, ring, stage, lane, epoch);
    }

    @Override
    public List<Long> positions(long ring, Collection<String> stages, LaneRange range) {
        return in(positions, ring, stages, range);
    }

    @Override
    public List<Long> blocked(long ring, Collection<String> stages, LaneRange range) {
        return in(blocked, ring, stages, range);
    }

    private List<Long> in(String sql, long ring, Collection<String> stages, LaneRange range) {
        List<Long> found = new ArrayList<>();
        for (String stage : stages) {
            found.addAll(
                    queries.list(
                            sql,
                            row -> row.getLong(1),
                            ring,
                            stage,
                            range.lane(),
                            range.from(),
                            range.to()));
        }
        return found;
    }

    @Override
    public List<AsideHead> heads(long ring, String stage, int lane, AsideRow.State state) {
        return queries.list(heads, SqlAside::head, ring, stage, lane, word(state));
    }

    /** A driver may bring all rows at once; so first it is asked how many have room. */
    @Override
    public List<AsideRow> page(long ring, AsideCursor from, Portion portion) {
        String state = word(from.state());
        int[] some = {0};
        long[] bytes = {0};
        RowVisitor counts =
                row -> {
                    some[0]++;
                    bytes[0] += row.getLong(1);
                    return !portion.isFull(some[0], bytes[0]);
                };
        queries.each(
                sizes,
                counts,
                ring,
                from.stage(),
                from.lane(),
                state,
                from.behind(),
                portion.max());
        return queries.list(
                page,
                SqlAside::row,
                ring,
                from.stage(),
                from.lane(),
                state,
                from.behind(),
                some[0]);
    }

    @Override
    public void put(long ring, AsideRow row) {
        queries.update(
                put,
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
                row.position());
    }

    @Override
    public void delete(long ring, AsideRow row) {
        queries.update(delete, ring, row.stage(), row.lane(), row.position());
    }

    @Override
    public void deleteAll(long ring, String stage) {
        queries.update(deleteAll, ring, stage);
    }

    @Override
    public long deleteDropped(long ring, String stage, LaneRange range) {
        return queries.update(
                deleteDropped, ring, stage, range.lane(), range.from(), range.to());
    }

    private static String word(AsideRow.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static AsideRow row(ResultSet row) throws SQLException {
        return LedgerColumns.aside(row, state(row));
    }

    private static AsideHead head(ResultSet row) throws SQLException {
        return LedgerColumns.head(row, state(row));
    }

    private static AsideRow.State state(ResultSet row) throws SQLException {
        return AsideRow.State.valueOf(row.getString(4).toUpperCase(Locale.ROOT));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.graph.Shape;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.Strand;
import dev.slipring.ledger.StrandTable;
import dev.slipring.sql.LedgerColumns;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Strands and the claims on them as the ledger sees them. Each is read once, changed in memory, and
 * appended to the log at the end. Claims of what was set aside stand in its rows, so here they are
 * only carried along.
 */
final class PostgresStrands implements StrandTable {

    private static final String COLUMNS =
            "s.start, s.claimed, s.done, s.high, s.epoch, s.waiting, s.dead, s.dropped,"
                    + " s.kept_bytes, s.redelivered, s.failed, h.epoch, h.retry, h.held::text,"
                    + " h.attempt, h.worker, (extract(epoch FROM h.expires) * 1000)::bigint,"
                    + " h.said";

    private static final String HANDS = " LEFT JOIN LATERAL unnest(s.hands) h ON true";

    private final Statements statements;
    private final Map<Key, StrandState> held = new LinkedHashMap<>();

    /** Stages of which all strands are held. */
    private final Set<Stage> whole = new HashSet<>();

    /** Those of them to which something is on its way. */
    private final Set<Stage> coming = new HashSet<>();

    /** A stage of a ring. */
    private record Stage(long ring, String name) {}

    /** A stage in a lane of a ring. */
    private record Key(long ring, String stage, int lane) {}

    /** A strand with its claims. */
    private static final class StrandState {

        Strand strand;
        final List<Hand> hands = new ArrayList<>();
        boolean changed;
    }

    PostgresStrands(Statements statements) {
        this.statements = statements;
    }

    @Override
    public List<Strand> of(long ring, String stage) {
        if (whole.add(new Stage(ring, stage))) {
            readAll(ring, stage);
        }
        List<Strand> strands = new ArrayList<>();
        held.forEach(
                (key, at) -> {
                    if (key.ring() == ring && key.stage().equals(stage) && at.strand != null) {
                        strands.add(at.strand);
                    }
                });
        strands.sort(Comparator.comparingInt(Strand::lane));
        return strands;
    }

    /** Reads what is not held yet at once: the server may be far away. */
    private void readAll(long ring, String stage) {
        Map<Key, StrandState> all = new LinkedHashMap<>();
        statements.each(
                "SELECT "
                        + COLUMNS
                        + ", l, (SELECT min(a.lane) FROM slipring.arrival a WHERE a.ring = r.id"
                        + " AND a.stage = ?) IS NOT NULL"
                        + " FROM slipring.ring r, generate_series(0, r.lanes - 1) l,"
                        + " LATERAL slipring.strand_now(r.id, ?, l) s"
                        + HANDS
                        + " WHERE r.id = ?",
                row -> {
                    Key key = new Key(ring, stage, row.getInt(19));
                    see(key, row, all.computeIfAbsent(key, any -> new StrandState()));
                    if (row.getBoolean(20)) {
                        coming.add(new Stage(ring, stage));
                    }
                    return true;
                },
                stage,
                stage,
                ring);
        all.forEach(held::putIfAbsent);
    }

    @Override
    public Strand get(long ring, String stage, int lane) {
        return held(ring, stage, lane).strand;
    }

    private StrandState held(long ring, String stage, int lane) {
        return held.computeIfAbsent(new Key(ring, stage, lane), this::read);
    }

    private StrandState read(Key key) {
        StrandState read = new StrandState();
        statements.each(
                "SELECT " + COLUMNS + " FROM slipring.strand_now(?, ?, ?) s" + HANDS,
                row -> {
                    see(key, row, read);
                    return true;
                },
                key.ring(),
                key.stage(),
                key.lane());
        return read;
    }

    private static void see(Key key, ResultSet row, StrandState read) throws SQLException {
        read.strand = strand(key, row);
        if (row.getString(14) != null) {
            read.hands.add(hand(row));
        }
    }

    private static Strand strand(Key key, ResultSet row) throws SQLException {
        row.getLong(1);
        return row.wasNull() ? null : LedgerColumns.strand(key.stage(), key.lane(), row, 1);
    }

    private static Hand hand(ResultSet row) throws SQLException {
        return new Hand(
                row.getLong(12),
                row.getBoolean(13),
                row.getString(14),
                row.getInt(15),
                row.getString(16),
                row.getLong(17),
                row.getInt(18));
    }

    @Override
    public void put(long ring, Strand strand) {
        StrandState at = held(ring, strand.stage(), strand.lane());
        at.strand = strand;
        at.changed = true;
    }

    @Override
    public void delete(long ring, String stage) {
        held.keySet().removeIf(key -> key.ring() == ring && key.stage().equals(stage));
        whole.remove(new Stage(ring, stage));
        coming.remove(new Stage(ring, stage));
        statements.call(
                "SELECT slipring.take_away(slipring.strand_now(r.id, ?, l), '{}') FROM"
                        + " slipring.ring r, generate_series(0, r.lanes - 1) l WHERE r.id = ?",
                stage,
                ring);
        statements.update("DELETE FROM slipring.strand WHERE ring = ? AND stage = ?", ring, stage);
        statements.update("DELETE FROM slipring.arrival WHERE ring = ? AND stage = ?", ring, stage);
    }

    /** Counts in what this transaction has changed. */
    @Override
    public long gate(Shape shape, int lane) {
        return gate(shape.id(), lane);
    }

    /** The same by the ring's id. */
    long gate(long ring, int lane) {
        return statements
                .list(
                        "SELECT name FROM slipring.stage WHERE ring = ?",
                        row -> row.getString(1),
                        ring)
                .stream()
                .map(stage -> held(ring, stage, lane).strand)
                .filter(strand -> strand != null)
                .mapToLong(Strand::done)
                .min()
                .orElse(0);
    }

    @Override
    public List<ClaimRow> claims(long ring, String stage) {
        return of(ring, stage).stream()
                .flatMap(
                        strand ->
                                held(ring, stage, strand.lane()).hands.stream()
                                        .filter(hand -> !hand.retry())
                                        .map(hand -> hand.row(stage, strand.lane())))
                .toList();
    }

    /** A claim has the positions of its messages alone. */
    @Override
    public boolean claimsEndBehindWhatIsKept() {
        return false;
    }

    @Override
    public OptionalLong lowest(long ring, String stage, int lane) {
        return held(ring, stage, lane).hands.stream()
                .filter(hand -> !hand.retry())
                .mapToLong(hand -> hand.row(stage, lane).from())
                .min();
    }

    /** What came since the last claim, or the last look that could take it in. */
    @Override
    public boolean isComing(long ring, String stage) {
        of(ring, stage);
        return coming.contains(new Stage(ring, stage));
    }

    @Override
    public void deleteClaim(long ring, ClaimRow claim) {
        StrandState at = held(ring, claim.stage(), claim.lane());
        at.changed |= at.hands.removeIf(hand -> !hand.retry() && hand.epoch() == claim.epoch());
    }

    /** Appends what was changed. */
    void flush() {
        held.forEach(
                (key, at) -> {
                    if (at.changed) {
                        append(key, at.strand, at.hands);
                    }
                });
        held.clear();
        whole.clear();
        coming.clear();
    }

    private void append(Key key, Strand strand, List<Hand> hands) {
        statements.call(
                "SELECT slipring.write_down(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                key.ring(),
                key.stage(),
                key.lane(),
                LedgerColumns.numbers(strand),
                hands.stream().map(Hand::epoch).toArray(Long[]::new),
                hands.stream().map(Hand::retry).toArray(Boolean[]::new),
                hands.stream().map(Hand::held).toArray(String[]::new),
                hands.stream().map(Hand::attempt).toArray(Integer[]::new),
                hands.stream().map(Hand::worker).toArray(String[]::new),
                hands.stream().map(Hand::expires).toArray(Long[]::new),
                hands.stream().map(Hand::said).toArray(Integer[]::new));
    }
}

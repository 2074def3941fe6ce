// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.Strand;
import dev.slipring.ledger.StrandTable;
import dev.slipring.sql.LedgerRows;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Stages in lanes and the claims on them, in SQL. */
final class SqliteStrands implements StrandTable {

    private static final String STRAND =
            "SELECT stage, lane, start, claimed, done, high, last_epoch, waiting, dead, dropped,"
                    + " kept_bytes, redelivered, failed FROM slipring_sequence ";

    private static final String CLAIM =
            "SELECT stage, lane, epoch, first_position, end_position,"
                    + " settled, attempt, worker, expires FROM slipring_sequence ";

    private final Statements statements;

    /** What this transaction read or wrote; nobody else writes while it does. */
    private final Map<At, Strand> known = new HashMap<>();

    SqliteStrands(Statements statements) {
        this.statements = statements;
    }

    /**
     * Names a strand.
     *
     * @param ring the ring's id
     * @param stage the stage
     * @param lane the lane
     */
    private record At(long ring, String stage, int lane) {}

    /** Forgets what was read: the next transaction may see something else. */
    void end() {
        known.clear();
    }

    @Override
    public List<Strand> of(long ring, String stage) {
        return statements.list(
                STRAND + "WHERE ring = ? AND stage = ? AND epoch = 0 ORDER BY lane",
                SqliteStrands::strand,
                ring,
                stage);
    }

    @Override
    public Strand get(long ring, String stage, int lane) {
        At at = new At(ring, stage, lane);
        Strand strand = known.get(at);
        if (strand == null) {
            strand =
                    statements.first(
                            STRAND + "WHERE ring = ? AND lane = ? AND stage = ? AND epoch = 0",
                            SqliteStrands::strand,
                            ring,
                            lane,
                            stage);
            known.put(at, strand);
        }
        return strand;
    }

    @Override
    public void put(long ring, Strand strand) {
        known.put(new At(ring, strand.stage(), strand.lane()), strand);
        Object[] values = {
            strand.start(),
            strand.claimed(),
            strand.done(),
            strand.high(),
            strand.epoch(),
            strand.waiting(),
            strand.dead(),
            strand.dropped(),
            strand.keptBytes(),
            strand.redelivered(),
            strand.failed(),
            ring,
            strand.lane(),
            strand.stage()
        };
        int changed =
                statements.update(
                        "UPDATE slipring_sequence SET start = ?, claimed = ?, done = ?, high = ?,"
                                + " last_epoch = ?, waiting = ?, dead = ?, dropped = ?,"
                                + " kept_bytes = ?, redelivered = ?, failed = ?"
                                + " WHERE ring = ? AND lane = ? AND stage = ? AND epoch = 0",
                        values);
        if (changed == 0) {
            statements.update(
                    "INSERT INTO slipring_sequence (start, claimed, done, high, last_epoch,"
                            + " waiting, dead, dropped, kept_bytes, redelivered, failed,"
                            + " ring, lane, stage, epoch)"
                            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
                    values);
        }
    }

    private static Strand strand(ResultSet row) throws SQLException {
        return LedgerRows.strand(row.getString(1), row.getInt(2), row, 3);
    }

    @Override
    public void delete(long ring, String stage) {
        known.clear();
        statements.update(
                "DELETE FROM slipring_sequence WHERE ring = ? AND stage = ?", ring, stage);
    }

    @Override
    public long gate(long ring, int lane) {
        return statements
                .number(
                        "SELECT min(done) FROM slipring_sequence WHERE ring = ? AND stage IN"
                                + " (SELECT name FROM slipring_stage WHERE ring = ?)"
                                + " AND lane = ? AND epoch = 0",
                        ring,
                        ring,
                        lane)
                .orElse(0);
    }

    @Override
    public List<ClaimRow> claims(long ring, String stage) {
        return statements.list(
                CLAIM + "WHERE ring = ? AND stage = ? AND epoch > 0 ORDER BY lane, epoch",
                SqliteStrands::claim,
                ring,
                stage);
    }

    @Override
    public ClaimRow claim(long ring, String stage, int lane, long epoch) {
        return statements.first(
                CLAIM + "WHERE ring = ? AND stage = ? AND lane = ? AND epoch = ?",
                SqliteStrands::claim,
                ring,
                stage,
                lane,
                epoch);
    }

    @Override
    public ClaimRow firstToExpire(long ring, String stage) {
        return statements.first(
                CLAIM
                        + "WHERE ring = ? AND stage = ? AND epoch > 0"
                        + " ORDER BY expires, epoch LIMIT 1",
                SqliteStrands::claim,
                ring,
                stage);
    }

    @Override
    public OptionalLong lowest(long ring, String stage, int lane) {
        return statements.number(
                "SELECT min(first_position) FROM slipring_sequence"
                        + " WHERE ring = ? AND stage = ? AND lane = ? AND epoch > 0",
                ring,
                stage,
                lane);
    }

    @Override
    public void putClaim(long ring, ClaimRow claim) {
        statements.update(
                "INSERT OR REPLACE INTO slipring_sequence (ring, stage, lane, epoch,"
                        + " first_position, end_position, settled, attempt, worker, expires)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ring,
                claim.stage(),
                claim.lane(),
                claim.epoch(),
                claim.from(),
                claim.to(),
                claim.settled().toByteArray(),
                claim.attempt(),
                claim.worker(),
                claim.expires());
    }

    private static ClaimRow claim(ResultSet row) throws SQLException {
        return new ClaimRow(
                row.getString(1),
                row.getInt(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                BitSet.valueOf(row.getBytes(6)),
                row.getInt(7),
                row.getString(8),
                row.getLong(9));
    }

    @Override
    public void deleteClaim(long ring, String stage, int lane, long epoch) {
        statements.update(
                "DELETE FROM slipring_sequence WHERE ring = ? AND stage = ? AND lane = ?"
                        + " AND epoch = ?",
                ring,
                stage,
                lane,
                epoch);
    }
}

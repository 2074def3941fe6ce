// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.Strand;
import dev.slipring.sql.LedgerColumns;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.BitSet;

/** A stage of a ring as a connection knows it: its strands, and the claims on them. */
final class KnownStage implements KnownRows {

    private static final int STRAND = 3;
    private static final int CLAIM = 14;

    private final long ring;
    private final String stage;
    private final Buffered<Integer, Strand> strands = new Buffered<>();
    private final Buffered<ClaimKey, ClaimRow> claims = new Buffered<>();

    private KnownStage(long ring, String stage) {
        this.ring = ring;
        this.stage = stage;
    }

    /**
     * Names a stage.
     *
     * @param ring the ring's id
     * @param stage the stage
     */
    record Key(long ring, String stage) {}

    /**
     * Names a claim.
     *
     * @param lane its lane
     * @param epoch its epoch
     */
    record ClaimKey(int lane, long epoch) implements Comparable<ClaimKey> {

        @Override
        public int compareTo(ClaimKey other) {
            return lane == other.lane
                    ? Long.compare(epoch, other.epoch)
                    : Integer.compare(lane, other.lane);
        }
    }

    /** Reads all rows of a stage. */
    static KnownStage read(Statements statements, long ring, String stage) {
        KnownStage known = new KnownStage(ring, stage);
        statements.each(
                "SELECT lane, epoch, start, claimed, done, high, last_epoch, waiting, dead,"
                        + " dropped, kept_bytes, redelivered, failed, first_position,"
                        + " end_position, settled, attempt, worker, expires"
                        + " FROM slipring_sequence WHERE ring = ? AND stage = ?",
                row -> {
                    known.read(row);
                    return true;
                },
                ring,
                stage);
        return known;
    }

    private void read(ResultSet row) throws SQLException {
        int lane = row.getInt(1);
        long epoch = row.getLong(2);
        if (epoch == 0) {
            strands.read(lane, LedgerColumns.strand(stage, lane, row, STRAND));
        } else {
            claims.read(new ClaimKey(lane, epoch), claim(lane, epoch, row));
        }
    }

    private ClaimRow claim(int lane, long epoch, ResultSet row) throws SQLException {
        byte[] settled = row.getBytes(CLAIM + 2);
        String worker = row.getString(CLAIM + 4);
        return new ClaimRow(
                stage,
                lane,
                epoch,
                row.getLong(CLAIM),
                row.getLong(CLAIM + 1),
                settled == null ? new BitSet() : BitSet.valueOf(settled),
                row.getInt(CLAIM + 3),
                worker == null ? "" : worker,
                row.getLong(CLAIM + 5));
    }

    @Override
    public int size() {
        return strands.size() + claims.size();
    }

    /** By lane. */
    Buffered<Integer, Strand> strands() {
        return strands;
    }

    /** By lane and epoch. */
    Buffered<ClaimKey, ClaimRow> claims() {
        return claims;
    }

    @Override
    public void write(Statements statements) {
        strands.write((lane, strand) -> write(statements, strand));
        claims.write(
                (key, claim) -> {
                    if (claim == null) {
                        delete(statements, key);
                    } else {
                        write(statements, claim);
                    }
                });
    }

    private void write(Statements statements, Strand strand) {
        Object[] values = LedgerColumns.values(strand, ring, strand.lane(), stage);
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

    private void write(Statements statements, ClaimRow claim) {
        statements.update(
                "INSERT OR REPLACE INTO slipring_sequence (ring, stage, lane, epoch,"
                        + " first_position, end_position, settled, attempt, worker, expires)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ring,
                stage,
                claim.lane(),
                claim.epoch(),
                claim.from(),
                claim.to(),
                claim.settled().toByteArray(),
                claim.attempt(),
                claim.worker(),
                claim.expires());
    }

    private void delete(Statements statements, ClaimKey claim) {
        statements.update(
                "DELETE FROM slipring_sequence WHERE ring = ? AND stage = ? AND lane = ?"
                        + " AND epoch = ?",
                ring,
                stage,
                claim.lane,
                claim.epoch);
    }
}

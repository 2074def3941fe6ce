// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.ClaimRow;
import dev.slipring.sql.LedgerColumns;

import java.sql.ResultSet;
import java.sql.SQLException;

/** The columns of a lane's rows in slipring_lane, slipring_gate and slipring_strand, as read. */
final class LaneColumns {

    static final String FRONT = "head, turn, bytes, extents";
    static final String BACK = "gate, first_position, turn, bytes, moves";
    static final String STRAND =
            "lane, stage, started, claimed, done, high, last_epoch, waiting, dead, dropped,"
                    + " kept_bytes, redelivered, failed, anchor, anchor_turn, claims";

    private LaneColumns() {}

    /** Takes over a front. */
    static void front(LaneState lane, ResultSet row, int at) throws SQLException {
        lane.readFront(
                row.getLong(at),
                row.getLong(at + 1),
                row.getLong(at + 2),
                Extent.parse(row.getString(at + 3)));
    }

    /** Takes over a back. */
    static void back(LaneState lane, ResultSet row, int at) throws SQLException {
        lane.readBack(
                row.getLong(at),
                row.getLong(at + 1),
                row.getLong(at + 2),
                row.getLong(at + 3),
                row.getLong(at + 4));
    }

    /**
     * Takes over where a strand says that a claim begins to look: a line of its own says so of one
     * that is in hand, else the strand does. The columns are anchor, anchor_turn and claims.
     */
    static void anchor(LaneState lane, ClaimRow claim, ResultSet row) throws SQLException {
        long[] at = {row.getLong(1), row.getLong(2)};
        ClaimText.read(
                claim.stage(),
                lane.number(),
                row.getString(3),
                (line, turn) -> {
                    if (line.epoch() == claim.epoch()) {
                        at[0] = line.from();
                        at[1] = turn;
                    }
                });
        lane.anchor(at[0], at[1]);
    }

    /** Takes over a strand of the lane, which is the first column. */
    static void strand(LaneState lane, ResultSet row) throws SQLException {
        String stage = row.getString(2);
        StrandState ofStage = StrandState.of(LedgerColumns.strand(stage, lane.number(), row, 3));
        lane.readAnchor(row.getLong(14), row.getLong(15));
        ClaimText.read(
                stage,
                lane.number(),
                row.getString(16),
                (claim, turn) -> {
                    ofStage.read(claim);
                    lane.readAnchor(claim.from(), turn);
                });
        lane.readStrand(ofStage);
    }
}

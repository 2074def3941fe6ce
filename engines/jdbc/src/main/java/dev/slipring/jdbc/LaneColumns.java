// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

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
        lane.head = row.getLong(at);
        lane.turn = row.getLong(at + 1);
        lane.bytesIn = row.getLong(at + 2);
        lane.extents = Extent.parse(row.getString(at + 3));
    }

    /** Takes over a back. */
    static void back(LaneState lane, ResultSet row, int at) throws SQLException {
        lane.gate = row.getLong(at);
        lane.oldest = row.getLong(at + 1);
        lane.oldestTurn = row.getLong(at + 2);
        lane.bytesOut = row.getLong(at + 3);
        lane.moves = row.getLong(at + 4);
        lane.anchors.put(lane.oldest, lane.oldestTurn);
    }

    /** Takes over a strand of the lane, which is the first column. */
    static void strand(LaneState lane, ResultSet row) throws SQLException {
        LaneState.StrandState ofStage = new LaneState.StrandState();
        ofStage.strand = LedgerColumns.strand(row.getString(2), lane.lane, row, 3);
        lane.anchors.put(row.getLong(14), row.getLong(15));
        ClaimText.read(
                ofStage.strand.stage(),
                lane.lane,
                row.getString(16),
                (claim, turn) -> {
                    ofStage.claims.put(claim.epoch(), claim);
                    lane.anchors.put(claim.from(), turn);
                });
        lane.strands.put(ofStage.strand.stage(), ofStage);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.sql.LedgerColumns;

/** Writes what a unit of work changed in the state of a ring. */
final class Writing {

    private final RingState state;
    private final JdbcLanes lanes;

    Writing(RingState state, JdbcLanes lanes) {
        this.state = state;
        this.lanes = lanes;
    }

    void addTo(Script script) {
        lanes.addTo(script);
        for (LaneState lane : state.lanes()) {
            if (lane.isFrontChanged()) {
                front(script, lane);
            }
            if (lane.isBackChanged()) {
                back(script, lane);
            }
            for (StrandState ofStage : lane.strands()) {
                if (ofStage.isChanged()) {
                    strand(script, lane, ofStage);
                }
            }
        }
    }

    private void front(Script script, LaneState lane) {
        script.run(
                lane.isFrontNew()
                        ? "INSERT INTO slipring_lane (head, turn, bytes, extents, ring, lane)"
                                + " VALUES (?, ?, ?, ?, ?, ?)"
                        : "UPDATE slipring_lane SET head = ?, turn = ?, bytes = ?, extents = ?"
                                + " WHERE ring = ? AND lane = ?",
                lane.head(),
                lane.turn(),
                lane.bytesIn(),
                Extent.text(lane.extents()),
                state.ring(),
                lane.number());
    }

    private void back(Script script, LaneState lane) {
        script.run(
                lane.isBackNew()
                        ? "INSERT INTO slipring_gate (gate, first_position, turn, bytes, moves,"
                                + " ring, lane) VALUES (?, ?, ?, ?, 0, ?, ?)"
                        : "UPDATE slipring_gate SET gate = ?, first_position = ?, turn = ?,"
                                + " bytes = ?, moves = moves + 1 WHERE ring = ? AND lane = ?",
                lane.gate(),
                lane.oldest(),
                lane.oldestTurn(),
                lane.bytesOut(),
                state.ring(),
                lane.number());
    }

    private void strand(Script script, LaneState lane, StrandState ofStage) {
        var strand = ofStage.strand();
        var anchor = lane.anchorAt(strand.claimed());
        String claims = ClaimText.write(ofStage.claims(), claim -> lane.turnAt(claim.from()));
        script.run(
                ofStage.isNew()
                        ? "INSERT INTO slipring_strand (started, claimed, done, high, last_epoch,"
                                + " waiting, dead, dropped, kept_bytes, redelivered, failed,"
                                + " anchor, anchor_turn, expires, claims, ring, lane, stage)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                        : "UPDATE slipring_strand SET started = ?, claimed = ?, done = ?, high = ?,"
                                + " last_epoch = ?, waiting = ?, dead = ?, dropped = ?,"
                                + " kept_bytes = ?, redelivered = ?, failed = ?, anchor = ?,"
                                + " anchor_turn = ?, expires = ?, claims = ?"
                                + " WHERE ring = ? AND lane = ? AND stage = ?",
                LedgerColumns.values(
                        strand,
                        anchor.getKey(),
                        anchor.getValue(),
                        ofStage.expires(),
                        claims,
                        state.ring(),
                        lane.number(),
                        strand.stage()));
    }
}

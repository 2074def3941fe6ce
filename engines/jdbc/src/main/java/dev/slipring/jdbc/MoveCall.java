// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;
import dev.slipring.ledger.ClaimRow;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A claim, the word that a whole claim is done, or both, in a lane that no other process works on,
 * as a call of {@code slipring_move}. The new state of the lane is reckoned here, and written if
 * nobody has moved the back of the lane meanwhile.
 */
final class MoveCall {

    private final Procedures procedures;
    private final Shape shape;
    private final StageSpec stage;
    private final ClaimRequest request;
    private final HomeLane home;
    private LaneState lane;
    private boolean remembered;
    private Reckoning reckoning;
    private String outcome = "other";
    private long now;
    private long turn;
    private long turns;

    MoveCall(Procedures procedures, Shape shape, ClaimRequest request) {
        this.procedures = procedures;
        this.shape = shape;
        this.request = request;
        stage = shape.spec().stages().get(request.stage());
        home = procedures.memo().home(shape.id());
    }

    /**
     * Claims; null if nothing has happened. An empty claim may mean that only the word was taken,
     * and that there may be something to claim all the same: {@link #mustLook}.
     */
    Claimed claim() {
        boolean usual = home.isClear(stage.name()) && ClaimCall.isUsual(shape, request);
        return usual && move(request.max()) ? claimed().behind(settled()) : null;
    }

    /**
     * Whether only the word was taken, and there may be something to claim. Two cases are not known
     * from the lane alone: a stage that follows others may have got something from them, and a lane
     * that was read anew may have been changed since the last look at all lanes.
     */
    boolean mustLook() {
        boolean alone = remembered && !follows() && reckoning.expires() > now;
        return reckoning.claim() == null
                && !(alone
                        && home.isAll(
                                stage.name(), lane.number(), reckoning.claimed(), turn, turns));
    }

    private boolean follows() {
        return !shape.spec().stages().ancestors(stage.name()).isEmpty();
    }

    /** Takes the word alone; null if nothing has happened. */
    Settled settle() {
        return move(0) ? settled() : null;
    }

    private boolean move(int most) {
        int number = home.lane();
        boolean here = request.before() == null || request.before().ticket().lane() == number;
        if (!here || !home.take(number)) {
            return false;
        }
        LaneState left = null;
        try {
            lane = home.back();
            remembered = lane != null;
            if (!remembered && most > 0) {
                lane = procedures.read(own -> new RingState(own, shape).look(number));
            }
            boolean right =
                    lane != null && reckon(most) && (!reckoning.isSomething() || write(most));
            left = right ? lane : null;
            return right && reckoning.isSomething();
        } finally {
            home.give(number, left);
        }
    }

    private boolean reckon(int most) {
        reckoning = new Reckoning(shape, stage, lane, procedures.memo().slots());
        Ticket word = request.before() == null ? null : request.before().ticket();
        boolean known = reckoning.isUsual() && (word == null || reckoning.say(word.epoch()));
        if (known && word != null && most > 0 && !follows()) {
            home.awaitMore(lane.number(), reckoning.claimed());
        }
        long head = home.head(lane.number());
        boolean usual = known && (most == 0 || reckoning.claim(most, head, request.worker()));
        if (!known || !usual && reckoning.claimed() < head) {
            home.metOthers();
        }
        return usual;
    }

    private boolean write(int most) {
        boolean written = procedures.call(own -> call(own, most > 0 && reckoning.claim() == null));
        if (written) {
            reckoning.moved(now + stage.lease().toMillis());
            procedures
                    .memo()
                    .slots()
                    .forget(shape.id(), lane.number(), reckoning.oldestBefore(), lane.oldestTurn());
        } else {
            home.metOthers();
        }
        return written;
    }

    private boolean call(OwnWork own, boolean look) {
        own.open();
        if (procedures.memo().home(shape.id()) != home) {
            // A connection was lost, and what was known of the lane may be wrong.
            return false;
        }
        StrandState ofStage = lane.strand(stage.name());
        ClaimRow claim = reckoning.claim();
        var anchor = lane.anchorAt(ofStage.strand().claimed());
        Object[] values = {
            shape.id(),
            lane.number(),
            stage.name(),
            lane.moves(),
            reckoning.said() == null ? null : reckoning.said().expires(),
            look ? 1 : 0,
            lane.gate(),
            lane.oldest(),
            lane.oldestTurn(),
            reckoning.freed(),
            ofStage.strand().claimed(),
            ofStage.strand().done(),
            ofStage.strand().high(),
            ofStage.strand().epoch(),
            anchor.getKey(),
            anchor.getValue(),
            ofStage.expires(),
            ClaimText.write(ofStage.claims(), row -> lane.turnAt(row.from())),
            claim == null ? null : stage.lease().toMillis(),
            claim == null ? null : ClaimText.begin(claim),
            claim == null ? null : ClaimText.end(claim, lane.turnAt(claim.from())),
            reckoning.oldestBefore(),
            reckoning.rows(0),
            reckoning.rows(1),
            reckoning.rows(2),
            reckoning.rows(3)
        };
        own.call(
                new Script()
                        .read(
                                "CALL slipring_move(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                                        + " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                this::read,
                                values));
        return outcome.equals("moved");
    }

    private void read(ResultSet row) throws SQLException {
        Reply reply = new Reply(row);
        outcome = reply.text();
        now = reply.large();
        turn = reply.large();
        turns = reply.large();
    }

    private Claimed claimed() {
        ClaimRow claim = reckoning.claim();
        if (claim == null) {
            long runsOut =
                    reckoning.expires() == Long.MAX_VALUE
                            ? Long.MAX_VALUE
                            : reckoning.expires() - now;
            long next = Math.min(home.nextMillis(stage.name()), runsOut);
            return Claimed.nothing(Claimed.IDLE, Math.max(1, next));
        }
        return claim.handedOut(reckoning.slots(), stage);
    }

    private Settled settled() {
        return request.before() == null ? null : new Settled(0, 0);
    }
}

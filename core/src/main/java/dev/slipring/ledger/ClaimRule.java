// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.graph.Mode;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;

import java.util.BitSet;
import java.util.List;

/**
 * What is handed out, and in which order: first what ran out and retries that are due, of any lane
 * and the longest waiting first; then what is new, from each lane in turn.
 */
final class ClaimRule {

    private final Rows rows;
    private final Shape shape;
    private final StageSpec stage;
    private final ClaimRequest request;
    private final HandOut handOut;

    ClaimRule(Rows rows, Shape shape, ClaimRequest request) {
        this.rows = rows;
        this.shape = shape;
        this.stage = shape.spec().stages().get(request.stage());
        this.request = request;
        this.handOut = new HandOut(rows, shape, stage, request);
    }

    Claimed claim() {
        if (shape.paused().contains(stage.name())) {
            return Claimed.nothing("stage '" + stage.name() + "' is paused", Long.MAX_VALUE);
        }
        Claimed again =
                stage.mode() == Mode.ORDERED
                        ? new OrderedRedelivery(rows, shape, handOut).claim()
                        : new PoolRedelivery(rows, shape, handOut, request).claim();
        if (again != null) {
            return again;
        }
        List<Strand> strands = rows.strands().of(shape.id(), stage.name());
        String stalled = stalled(shape, stage, strands);
        Claimed fresh = fresh(strands, stalled != null);
        if (fresh != null) {
            return fresh;
        }
        if (handOut.lost() != null) {
            return besidesLost();
        }
        return nothing(stalled == null ? Claimed.IDLE : stalled);
    }

    /**
     * There is nothing to hand out but messages that are lost, which is an error. If a word came
     * with the request, it is taken, and an error now would look as if it was not: the worker gets
     * the error when it claims once more.
     */
    private Claimed besidesLost() {
        if (request.before() == null) {
            throw handOut.lost();
        }
        return Claimed.nothing(handOut.lost().getMessage(), 1);
    }

    /** Why a stage hands out nothing new, because of what it keeps; null if it may. */
    static String stalled(Shape shape, StageSpec stage, List<Strand> strands) {
        long kept = strands.stream().mapToLong(strand -> strand.waiting() + strand.dead()).sum();
        long bytes = strands.stream().mapToLong(Strand::keptBytes).sum();
        if (kept < stage.keep() && bytes < shape.spec().bytes()) {
            return null;
        }
        return "stage '"
                + stage.name()
                + "' keeps "
                + kept
                + " messages with "
                + bytes
                + " bytes set aside or dead, which is its limit; retry or drop its dead letters";
    }

    private Claimed fresh(List<Strand> strands, boolean isStalled) {
        List<LaneRow> lanes = rows.lanes().whole(shape);
        int start = Strand.turn(shape, stage.name(), strands);
        for (int i = 0; i < lanes.size(); i++) {
            int lane = (start + i) % lanes.size();
            boolean may = looksFresh(lanes.get(lane), strands.get(lane), isStalled);
            Claimed fresh = may ? handOut.unlessLost(() -> fresh(lane)) : null;
            if (fresh != null) {
                return fresh;
            }
        }
        return null;
    }

    /** Whether an ordered stage has something of the lane in hand. */
    private boolean isHeld(Strand strand) {
        return stage.mode() == Mode.ORDERED
                && rows.strands().lowest(shape.id(), stage.name(), strand.lane()).isPresent();
    }

    /**
     * The position at which an ordered stage waits for a message that is set aside; {@link
     * Long#MAX_VALUE} if it waits for none. If this transaction has not taken the lane, the strand
     * may be older than the rows set aside.
     */
    static long end(RingRows rows, Shape shape, Strand strand) {
        StageSpec stage = shape.spec().stages().get(strand.stage());
        AsideRow waiting =
                stage.mode() == Mode.ORDERED && strand.waiting() > 0
                        ? rows.aside().firstWaiting(shape.id(), stage.name(), strand.lane())
                        : null;
        return waiting == null ? Long.MAX_VALUE : waiting.position();
    }

    /** Whether there is anything new in a lane, as far as one can see before one has it. */
    private boolean looksFresh(LaneRow lane, Strand strand, boolean isStalled) {
        long end = end(rows, shape, strand);
        // A stalled stage may claim what stands before a message that it keeps: only so does it
        // come to that message.
        return (!isStalled || end < Long.MAX_VALUE)
                && strand.claimed() < limit(lane, end)
                && !isHeld(strand);
    }

    private long limit(LaneRow lane, long end) {
        return Math.min(end, FollowRule.limit(rows, shape, stage.name(), lane));
    }

    private Claimed fresh(int number) {
        if (!rows.take(shape.id(), number)) {
            return null;
        }
        LaneRow lane = rows.lanes().there(shape, number);
        Strand now = rows.strands().there(shape, stage.name(), number);
        if (isHeld(now)) {
            return null;
        }
        long limit = limit(lane, end(rows, shape, now));
        while (now.claimed() < limit) {
            long to = Math.min(now.claimed() + request.max(), limit);
            List<SlotRow> slots = handOut.slots(new LaneRange(number, now.claimed(), to));
            to = Math.min(to, slots.get(slots.size() - 1).end());
            BitSet kept =
                    FollowRule.kept(rows, shape, now, new LaneRange(number, now.claimed(), to));
            ClaimRow range =
                    new ClaimRow(
                            stage.name(),
                            number,
                            now.epoch() + 1,
                            now.claimed(),
                            to,
                            kept,
                            1,
                            request.worker(),
                            rows.now() + stage.lease().toMillis());
            now = now.claimed(to, range.epoch(), 0);
            if (range.left() > 0) {
                Claimed claimed = handOut.range(range.trimmed(), slots);
                Progress.write(rows, shape, now);
                return claimed;
            }
            Progress.write(rows, shape, now);
            now = rows.strands().there(shape, stage.name(), number);
        }
        return null;
    }

    private Claimed nothing(String reason) {
        // Whoever has the lane may leave it as it was, and then nothing tells that it is free.
        return rows.leftOut(shape.id()) ? Claimed.leftOut(reason) : Claimed.nothing(reason, next());
    }

    private long next() {
        long at =
                stage.mode() == Mode.ORDERED
                        ? new OrderedRedelivery(rows, shape, handOut).nextAt()
                        : nextOfPool();
        return at == Long.MAX_VALUE ? at : Math.max(at - rows.now(), 1);
    }

    private long nextOfPool() {
        ClaimRow claim = rows.strands().firstToExpire(shape.id(), stage.name());
        long due = rows.aside().nextDue(shape.id(), stage.name()).orElse(Long.MAX_VALUE);
        return claim == null ? due : Math.min(due, claim.expires());
    }
}

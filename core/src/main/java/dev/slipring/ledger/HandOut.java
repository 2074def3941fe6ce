// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.Delivery;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Mode;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** Gives messages into a worker's hand: writes the claim, reads the messages. */
final class HandOut {

    private final Rows rows;
    private final Shape shape;
    private final StageSpec stage;
    private final ClaimRequest request;
    private SlotMissing lost;

    HandOut(Rows rows, Shape shape, StageSpec stage, ClaimRequest request) {
        this.rows = rows;
        this.shape = shape;
        this.stage = stage;
        this.request = request;
    }

    StageSpec stage() {
        return stage;
    }

    /**
     * The slots of a range, as many as one claim may have, up to one that is lost.
     *
     * @throws SlotMissing if that is the first
     */
    List<SlotRow> slots(LaneRange range) {
        return rows.lanes().wholeSlots(shape, range, Deliveries.MAX_BYTES);
    }

    /**
     * Runs a claim, or a part of one, and returns what it gives; null if messages that it needs are
     * lost, which {@link #lost} tells then.
     */
    <T> T unlessLost(Supplier<T> claim) {
        try {
            return claim.get();
        } catch (SlotMissing e) {
            lost = lost == null ? e : lost;
            return null;
        }
    }

    /** Whether a message that was set aside can be read; if not, {@link #lost} tells that. */
    boolean isReadable(AsideRow row) {
        return unlessLost(row::delivery) != null;
    }

    /** The first thing that was found lost; null if nothing was. */
    SlotMissing lost() {
        return lost;
    }

    /** Writes a claim, and returns it with the messages that it holds. */
    Claimed range(ClaimRow claim, List<SlotRow> slots) {
        rows.strands().putClaim(shape.id(), claim);
        return claim.handedOut(slots, stage);
    }

    /**
     * Hands on a claim whose lease ran out, or the first piece of it; null if that was its last
     * attempt, so that its messages are dead now.
     */
    Claimed takeOver(ClaimRow old) {
        if (old.attempt() >= stage.tries()) {
            bury(old);
            return null;
        }
        Strand strand = rows.strands().there(shape, old.stage(), old.lane());
        int attempt = old.attempt() + 1;
        long wanted = piece(old, attempt);
        List<SlotRow> slots = slots(new LaneRange(old.lane(), old.from(), wanted));
        long end = Math.min(wanted, slots.get(slots.size() - 1).end());
        ClaimRow taken =
                old.upTo(end)
                        .handedTo(
                                request.worker(),
                                strand.epoch() + 1,
                                attempt,
                                rows.now() + stage.lease().toMillis());
        rows.strands().deleteClaim(shape.id(), old);
        long claimed = strand.claimed();
        if (end < old.to() && stage.mode() == Mode.ORDERED) {
            claimed = end;
        } else if (end < old.to()) {
            ClaimRow rest = old.startingAt(end).trimmed();
            if (rest.left() > 0) {
                rows.strands().putClaim(shape.id(), rest);
            }
        }
        Strand after = strand.claimed(claimed, taken.epoch(), attempt > 1 ? taken.left() : 0);
        rows.strands()
                .put(
                        shape.id(),
                        claimed < strand.claimed() ? FollowRule.comeBy(rows, shape, after) : after);
        return range(taken, slots);
    }

    /**
     * Hands out messages of one lane that were set aside, in the order of their positions; null if
     * they all had their last attempt, so that they are dead now: of their lease, or, if the stage
     * has fewer tries by now, of the failure that was their last.
     *
     * @throws SlotMissing if one of them cannot be read
     */
    Claimed retry(List<AsideRow> due) {
        int lane = due.get(0).lane();
        Strand strand = rows.strands().there(shape, stage.name(), lane);
        long epoch = strand.epoch() + 1;
        long again = 0;
        long died = 0;
        long failed = 0;
        List<AsideRow> handed =
                due.stream()
                        .filter(row -> row.attempts() < stage.tries())
                        .sorted(Comparator.comparingLong(AsideRow::position))
                        .map(row -> inHand(row, epoch))
                        .toList();
        // Before anything is written.
        List<Delivery> deliveries = handed.stream().map(AsideRow::delivery).toList();
        for (AsideRow row : due) {
            if (row.attempts() >= stage.tries()) {
                boolean known = row.epoch() == 0 && row.failedAt() > 0;
                String error = known ? row.error() : ranOut(row.worker());
                rows.aside().put(shape.id(), row.dead(error, known ? row.failedAt() : rows.now()));
                died++;
                failed += known ? 0 : 1;
            } else {
                again += row.attempts() > 0 ? 1 : 0;
            }
        }
        handed.forEach(row -> rows.aside().put(shape.id(), row));
        rows.strands()
                .put(
                        shape.id(),
                        strand.claimed(strand.claimed(), epoch, again)
                                .kept(-died, died, 0, 0)
                                .failed(failed));
        Ticket ticket = new Ticket(stage.name(), lane, epoch, true);
        return deliveries.isEmpty()
                ? null
                : Claimed.of(ticket, stage.mode(), deliveries, stage.lease().toMillis());
    }

    private AsideRow inHand(AsideRow row, long epoch) {
        return row.inHand(request.worker(), epoch, rows.now() + stage.lease().toMillis());
    }

    /**
     * Where the piece of a claim that ran out ends. The pieces become smaller with each attempt,
     * down to one message at the last, so that a message that ends its worker takes no others with
     * it when it dies.
     */
    private long piece(ClaimRow old, int attempt) {
        long size = old.left();
        if (!old.worker().isEmpty()) {
            size =
                    attempt == stage.tries()
                            ? 1
                            : Math.max(1, size >> Math.min(2 * (attempt - 1), 62));
        }
        return old.endOf(Math.min(size, request.max()));
    }

    private void bury(ClaimRow old) {
        Strand strand = rows.strands().there(shape, old.stage(), old.lane());
        List<AsideRow> dead = new ArrayList<>();
        for (long at = old.from(); at < old.to(); ) {
            for (SlotRow slot : slots(new LaneRange(old.lane(), at, old.to()))) {
                for (; at < Math.min(slot.end(), old.to()); at++) {
                    if (old.holds(at)) {
                        AsideRow held = AsideRow.of(old, slot, at, at >= strand.high());
                        dead.add(held.dead(ranOut(old.worker()), rows.now()));
                    }
                }
            }
        }
        dead.forEach(row -> rows.aside().put(shape.id(), row));
        long bytes = AsideRow.bytes(dead);
        int died = dead.size();
        rows.strands().deleteClaim(shape.id(), old);
        Progress.write(rows, shape, strand.kept(0, died, 0, bytes).failed(died));
    }

    private static String ranOut(String worker) {
        return "the lease of worker '" + worker + "' ran out at the last attempt";
    }
}

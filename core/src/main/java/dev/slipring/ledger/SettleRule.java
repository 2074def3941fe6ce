// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.Fenced;
import dev.slipring.NotInHand;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Mode;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Done, fail, extend and give back on a range of a lane, under the fence. */
final class SettleRule {

    private final Rows rows;
    private final Shape shape;
    private final StageSpec stage;
    private final Settlement word;

    SettleRule(Rows rows, Shape shape, Settlement word) {
        this.rows = rows;
        this.shape = shape;
        this.stage = shape.spec().stages().get(word.ticket().stage());
        this.word = word;
    }

    /** Whether the ring has that lane: the claim may be of one that was dropped. */
    boolean isOfRing() {
        return word.ticket().lane() < shape.spec().lanes();
    }

    Settled settle() {
        if (!isOfRing()) {
            throw fenced(shape, word.ticket());
        }
        rows.hold(shape.id(), word.ticket().lane());
        if (word.ticket().retry()) {
            return new SettleRetryRule(rows, shape, stage, word).settle();
        }
        Ticket ticket = word.ticket();
        ClaimRow claim =
                rows.strands().claim(shape.id(), stage.name(), ticket.lane(), ticket.epoch());
        if (claim == null || claim.expires() <= rows.now()) {
            throw fenced(shape, ticket);
        }
        Strand strand = rows.strands().there(shape, stage.name(), ticket.lane());
        List<Long> named =
                Stream.concat(word.done().stream(), word.failed().stream().map(Failed::position))
                        .sorted()
                        .toList();
        checkNamed(claim, named);
        int dead = 0;
        for (Failed failed : word.failed()) {
            AsideRow row = setAside(claim, strand, failed);
            boolean isDead = row.state() == AsideRow.State.DEAD;
            dead += isDead ? 1 : 0;
            strand = strand.kept(isDead ? 0 : 1, isDead ? 1 : 0, 0, row.message().length).failed(1);
        }
        return write(strand, with(claim, named), dead);
    }

    /** The refusal of a word that came too late. */
    static Fenced fenced(Shape shape, Ticket ticket) {
        return new Fenced(
                "ring '"
                        + shape.spec().name()
                        + "': the claim of stage '"
                        + ticket.stage()
                        + "' in lane "
                        + ticket.lane()
                        + " under epoch "
                        + ticket.epoch()
                        + " is not in this worker's hand any more: it is settled, or its lease ran"
                        + " out, or it was handed on, purged or rewound");
    }

    /** The refusal of a word on a message that the claim has not, or has no more. */
    static NotInHand notInHand(int lane, long position) {
        return new NotInHand(
                "message "
                        + lane
                        + "-"
                        + position
                        + " is not in this claim, or it is settled already");
    }

    /** A message that failed: dead after its last attempt, else set aside. */
    static AsideRow afterFailure(AsideRow row, StageSpec stage, Failed failed, long now) {
        return row.attempts() >= stage.tries()
                ? row.dead(failed.error(), now)
                : row.setAside(failed.error(), due(stage, failed, row.attempts(), now), now);
    }

    /** When a message that failed is due again. */
    private static long due(StageSpec stage, Failed failed, int attempt, long now) {
        return now
                + (failed.retryMillis() >= 0
                        ? failed.retryMillis()
                        : stage.backoff()
                                .millis(attempt, ThreadLocalRandom.current().nextDouble()));
    }

    private void checkNamed(ClaimRow claim, List<Long> named) {
        long next = claim.from();
        for (long position : named) {
            if (!claim.holds(position)) {
                throw notInHand(claim.lane(), position);
            }
            while (!claim.holds(next)) {
                next++;
            }
            if (stage.mode() == Mode.ORDERED && position != next++) {
                throw new IllegalArgumentException(
                        "stage '"
                                + stage.name()
                                + "' is ordered: message "
                                + claim.lane()
                                + "-"
                                + (next - 1)
                                + " comes before "
                                + claim.lane()
                                + "-"
                                + position);
            }
        }
        boolean last =
                word.failed().size() < 2
                        && word.failed().stream()
                                .allMatch(
                                        failed -> failed.position() == named.get(named.size() - 1));
        if (stage.mode() == Mode.ORDERED && !last) {
            throw new IllegalArgumentException(
                    "stage '"
                            + stage.name()
                            + "' is ordered: a failure ends the claim, nothing behind it can be"
                            + " done or fail");
        }
    }

    private AsideRow setAside(ClaimRow claim, Strand strand, Failed failed) {
        long position = failed.position();
        SlotRow slot = slot(claim.lane(), position);
        AsideRow held = AsideRow.of(claim, slot, position, position >= strand.high());
        AsideRow row = afterFailure(held, stage, failed, rows.now());
        rows.aside().put(shape.id(), row);
        return row;
    }

    /**
     * The slot of a message. If it is lost, the word can never be taken, and is refused as wrong.
     */
    private SlotRow slot(int lane, long position) {
        try {
            return rows.lanes().wholeSlots(shape, LaneRange.at(lane, position), 1).get(0);
        } catch (SlotMissing lost) {
            throw new IllegalArgumentException(lost.getMessage(), lost);
        }
    }

    private ClaimRow with(ClaimRow claim, List<Long> named) {
        BitSet settled = (BitSet) claim.settled().clone();
        if (word.rest() == Rest.DONE && !endsByFailure()) {
            settled.set(0, (int) (claim.to() - claim.from()));
        } else {
            named.forEach(position -> settled.set((int) (position - claim.from())));
        }
        return claim.with(settled).trimmed();
    }

    private boolean endsByFailure() {
        return stage.mode() == Mode.ORDERED && !word.failed().isEmpty();
    }

    private Settled write(Strand strand, ClaimRow claim, int dead) {
        Strand after = strand;
        boolean back = claim.left() > 0 && (word.rest() == Rest.GIVE_BACK || endsByFailure());
        if (claim.left() == 0 || back) {
            rows.strands().deleteClaim(shape.id(), claim);
        } else {
            boolean extend = word.rest() == Rest.EXTEND;
            rows.strands()
                    .putClaim(
                            shape.id(),
                            extend ? claim.expiring(rows.now() + stage.lease().toMillis()) : claim);
        }
        if (back && stage.mode() == Mode.ORDERED) {
            after = FollowRule.comeBy(rows, shape, after.claimed(claim.from(), after.epoch(), 0));
        } else if (back) {
            after = after.claimed(after.claimed(), after.epoch() + 1, 0);
            rows.strands()
                    .putClaim(
                            shape.id(), claim.handedTo("", after.epoch(), claim.attempt() - 1, 0));
        }
        Progress.write(rows, shape, after);
        return new Settled(back ? 0 : claim.left(), dead);
    }
}

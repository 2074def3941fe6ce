// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.Claimed;
import dev.slipring.graph.Shape;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * What an ordered stage hands out again: in each lane in turn the oldest of what is unfinished, and
 * only if nothing of the lane is in hand.
 */
final class OrderedRedelivery {

    private final Rows rows;
    private final Shape shape;
    private final HandOut handOut;

    OrderedRedelivery(Rows rows, Shape shape, HandOut handOut) {
        this.rows = rows;
        this.shape = shape;
        this.handOut = handOut;
    }

    /** Something to do again; null if there is nothing. */
    Claimed claim() {
        String stage = handOut.stage().name();
        List<ClaimRow> claims = rows.strands().claims(shape.id(), stage);
        List<Strand> strands = rows.strands().of(shape.id(), stage);
        int start = Strand.turn(shape, stage, strands);
        for (int i = 0; i < strands.size(); i++) {
            Strand strand = strands.get((start + i) % strands.size());
            ClaimRow claim = first(claims, strand.lane());
            boolean mayBe = !isBusy(strand, claim) && hasUnfinished(strand, claim);
            Claimed again =
                    mayBe && rows.take(shape.id(), strand.lane())
                            ? handOut.unlessLost(() -> again(strand.lane()))
                            : null;
            if (again != null) {
                return again;
            }
        }
        return null;
    }

    /**
     * When the clock alone may bring something, in milliseconds of the store's time; {@link
     * Long#MAX_VALUE} for never. In a lane of which something is in hand, that is the end of its
     * lease: what else is due there waits for it.
     */
    long nextAt() {
        String stage = handOut.stage().name();
        List<ClaimRow> claims = rows.strands().claims(shape.id(), stage);
        return rows.strands().of(shape.id(), stage).stream()
                .mapToLong(strand -> nextAt(strand, first(claims, strand.lane())))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private long nextAt(Strand strand, ClaimRow claim) {
        // Read once: a lease may run out, or be given back, from one look to the next.
        long now = rows.now();
        OptionalLong busy = leases(strand, claim).filter(at -> at > now).min();
        if (busy.isPresent()) {
            return busy.getAsLong();
        }
        AsideRow waiting = waiting(strand);
        if (isFirst(claim, waiting)) {
            return claim.expires();
        }
        return isNext(strand, waiting) ? waiting.due() : Long.MAX_VALUE;
    }

    /** The first claim of a lane; null if there is none. */
    private static ClaimRow first(List<ClaimRow> claims, int lane) {
        return claims.stream().filter(row -> row.lane() == lane).findFirst().orElse(null);
    }

    /** Hands out again in a lane that this transaction has. */
    private Claimed again(int lane) {
        String stage = handOut.stage().name();
        ClaimRow claim = first(rows.strands().claims(shape.id(), stage), lane);
        Strand strand = rows.strands().there(shape, stage, lane);
        return isBusy(strand, claim) ? null : again(strand, claim);
    }

    private static boolean hasUnfinished(Strand strand, ClaimRow claim) {
        return claim != null || strand.waiting() > 0;
    }

    private boolean isBusy(Strand strand, ClaimRow claim) {
        long now = rows.now();
        return leases(strand, claim).anyMatch(at -> at > now);
    }

    /** The ends of the leases of what is in hand: of the claim, and of retries. */
    private LongStream leases(Strand strand, ClaimRow claim) {
        LongStream own = claim == null ? LongStream.empty() : LongStream.of(claim.expires());
        return strand.waiting() == 0
                ? own
                : LongStream.concat(
                        own,
                        rows
                                .aside()
                                .inHand(shape.id(), strand.stage(), strand.lane(), strand.epoch())
                                .stream()
                                .mapToLong(AsideRow::due));
    }

    /** What waits first in a lane; null if nothing does. */
    private AsideRow waiting(Strand strand) {
        return strand.waiting() == 0
                ? null
                : rows.aside().firstWaiting(shape.id(), strand.stage(), strand.lane());
    }

    private static boolean isFirst(ClaimRow claim, AsideRow waiting) {
        return claim != null && (waiting == null || claim.from() < waiting.position());
    }

    /**
     * Whether the turn of what waits has come. After a rewind it may stand ahead of the stage, and
     * then waits until the stage comes there.
     */
    private static boolean isNext(Strand strand, AsideRow waiting) {
        return waiting != null && waiting.position() <= strand.claimed();
    }

    private Claimed again(Strand strand, ClaimRow claim) {
        AsideRow waiting = waiting(strand);
        if (isFirst(claim, waiting)) {
            return handOut.takeOver(claim);
        }
        return isNext(strand, waiting) && waiting.due() <= rows.now()
                ? handOut.retry(List.of(waiting))
                : null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.Claimed;
import dev.slipring.engine.Shape;

import java.util.List;

/**
 * What an ordered stage hands out again: in each lane in turn the oldest of what is unfinished, and
 * only if nothing of the lane is in hand.
 */
final class OrderedAgain {

    private final Rows rows;
    private final Shape shape;
    private final HandOut handOut;

    OrderedAgain(Rows rows, Shape shape, HandOut handOut) {
        this.rows = rows;
        this.shape = shape;
        this.handOut = handOut;
    }

    /** Something to do again; null if there is nothing. */
    Claimed claim() {
        String stage = handOut.stage().name();
        List<ClaimRow> claims = rows.strands().claims(shape.id(), stage);
        List<Strand> strands = rows.strands().of(shape.id(), stage);
        int start = Strand.turn(strands);
        for (int i = 0; i < strands.size(); i++) {
            Strand strand = strands.get((start + i) % strands.size());
            ClaimRow claim =
                    claims.stream()
                            .filter(row -> row.lane() == strand.lane())
                            .findFirst()
                            .orElse(null);
            boolean looksDue = !isBusy(strand, claim) && isDue(strand, claim);
            Claimed again =
                    looksDue && rows.take(shape.id(), strand.lane())
                            ? handOut.unlessLost(() -> again(strand.lane()))
                            : null;
            if (again != null) {
                return again;
            }
        }
        return null;
    }

    /** Hands out again in a lane that this transaction has. */
    private Claimed again(int lane) {
        String stage = handOut.stage().name();
        ClaimRow claim =
                rows.strands().claims(shape.id(), stage).stream()
                        .filter(row -> row.lane() == lane)
                        .findFirst()
                        .orElse(null);
        Strand strand = rows.strands().get(shape.id(), stage, lane);
        return isBusy(strand, claim) ? null : again(strand, claim);
    }

    private boolean isDue(Strand strand, ClaimRow claim) {
        return claim != null || strand.waiting() > 0;
    }

    private boolean isBusy(Strand strand, ClaimRow claim) {
        long now = rows.now();
        return claim != null && claim.expires() > now
                || strand.waiting() > 0
                        && rows
                                .aside()
                                .inHand(shape.id(), strand.stage(), strand.lane(), strand.epoch())
                                .stream()
                                .anyMatch(row -> row.due() > now);
    }

    private Claimed again(Strand strand, ClaimRow claim) {
        AsideRow waiting =
                strand.waiting() == 0
                        ? null
                        : rows.aside().firstWaiting(shape.id(), strand.stage(), strand.lane());
        if (claim != null && (waiting == null || claim.from() < waiting.position())) {
            return handOut.takeOver(claim);
        }
        // What is set aside in front of a stage that was rewound waits until it comes there.
        boolean isNext = waiting != null && waiting.position() <= strand.claimed();
        return isNext && waiting.due() <= rows.now() ? handOut.retry(List.of(waiting)) : null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.graph.Shape;

import java.util.List;

/**
 * What a pool stage hands out again: claims that ran out and retries that are due, whichever has
 * waited longest, so that neither keeps the other waiting.
 */
final class PoolRedelivery {

    private final Rows rows;
    private final Shape shape;
    private final HandOut handOut;
    private final ClaimRequest request;

    PoolRedelivery(Rows rows, Shape shape, HandOut handOut, ClaimRequest request) {
        this.rows = rows;
        this.shape = shape;
        this.handOut = handOut;
        this.request = request;
    }

    /** Something to do again; null if there is nothing. */
    Claimed claim() {
        while (true) {
            ClaimRow ranOut = rows.strands().firstToExpire(shape.id(), request.stage());
            long ranOutAt = ranOut == null ? Long.MAX_VALUE : ranOut.expires();
            long dueAt = rows.aside().nextDue(shape.id(), request.stage()).orElse(Long.MAX_VALUE);
            if (Math.min(ranOutAt, dueAt) > rows.now()) {
                return null;
            }
            Claimed taken = handOut.unlessLost(() -> ranOutAt <= dueAt ? ranOut(ranOut) : due());
            if (taken != null) {
                return taken;
            }
            if (handOut.lost() != null) {
                return besidesLost(dueAt);
            }
        }
    }

    /** The next best thing to do again, where the messages that have waited longest are lost. */
    private Claimed besidesLost(long dueAt) {
        Claimed retry = dueAt <= rows.now() ? due() : null;
        if (retry != null) {
            return retry;
        }
        for (ClaimRow claim : rows.strands().claims(shape.id(), request.stage())) {
            Claimed taken =
                    claim.expires() > rows.now() ? null : handOut.unlessLost(() -> ranOut(claim));
            if (taken != null) {
                return taken;
            }
        }
        return null;
    }

    private Claimed ranOut(ClaimRow first) {
        return rows.take(shape.id(), first.lane()) ? takeOver(first) : null;
    }

    /** Hands a claim on, unless somebody was faster. */
    private Claimed takeOver(ClaimRow seen) {
        ClaimRow now = rows.strands().claim(shape.id(), seen.stage(), seen.lane(), seen.epoch());
        return now == null || now.expires() > rows.now() ? null : handOut.takeOver(now);
    }

    /** Whether the next attempt is the last of several: then the message is handed out alone. */
    private boolean isLast(AsideRow row) {
        return row.attempts() > 0 && row.attempts() >= handOut.stage().tries() - 1;
    }

    private Claimed due() {
        List<AsideRow> seen = dueNow();
        int lane = seen.isEmpty() ? -1 : seen.get(0).lane();
        if (lane < 0 || !rows.take(shape.id(), lane)) {
            return null;
        }
        List<AsideRow> due = dueNow().stream().filter(row -> row.lane() == lane).toList();
        return due.isEmpty() ? null : retry(due);
    }

    private List<AsideRow> dueNow() {
        Portion asked = Portion.of(request.max());
        while (true) {
            List<AsideRow> due = rows.aside().due(shape.id(), request.stage(), rows.now(), asked);
            List<AsideRow> readable = due.stream().filter(handOut::isReadable).toList();
            if (!readable.isEmpty() || !asked.isFull(due.size(), AsideRow.bytes(due))) {
                return readable.stream().limit(request.max()).toList();
            }
            // Rows that cannot be read stay in front: more are asked for, to see those behind them.
            asked = asked.twice();
        }
    }

    private Claimed retry(List<AsideRow> due) {
        return handOut.retry(
                isLast(due.get(0))
                        ? due.subList(0, 1)
                        : due.stream().filter(row -> !isLast(row)).toList());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Shape;

import java.util.List;

/** What a pool stage hands out again: any claim that ran out, then any retries that are due. */
final class PoolAgain {

    private final Rows rows;
    private final Shape shape;
    private final HandOut handOut;
    private final ClaimRequest request;

    PoolAgain(Rows rows, Shape shape, HandOut handOut, ClaimRequest request) {
        this.rows = rows;
        this.shape = shape;
        this.handOut = handOut;
        this.request = request;
    }

    /** Something to do again; null if there is nothing. */
    Claimed claim() {
        Claimed ranOut = ranOut();
        return ranOut != null ? ranOut : due();
    }

    private Claimed ranOut() {
        while (true) {
            ClaimRow first = rows.strands().firstToExpire(shape.id(), request.stage());
            if (first == null || first.expires() > rows.now()) {
                return null;
            }
            Claimed taken = rows.take(shape.id(), first.lane()) ? takeOver(first) : null;
            if (taken != null) {
                return taken;
            }
        }
    }

    /** Hands a claim on, unless somebody was faster. */
    private Claimed takeOver(ClaimRow seen) {
        ClaimRow now = rows.strands().claim(shape.id(), seen.stage(), seen.lane(), seen.epoch());
        return now == null || now.expires() > rows.now() ? null : handOut.takeOver(now);
    }

    /** Whether this is the last attempt of several; a message has that alone. */
    private boolean isLast(AsideRow row) {
        return row.attempts() > 0 && row.attempts() == handOut.stage().tries() - 1;
    }

    private Claimed due() {
        while (rows.aside().nextDue(shape.id(), request.stage()).orElse(Long.MAX_VALUE)
                <= rows.now()) {
            List<AsideRow> seen = dueNow();
            int lane = seen.isEmpty() ? -1 : seen.get(0).lane();
            if (lane >= 0 && rows.take(shape.id(), lane)) {
                List<AsideRow> due = dueNow().stream().filter(row -> row.lane() == lane).toList();
                Claimed taken = due.isEmpty() ? null : retry(due);
                if (taken != null) {
                    return taken;
                }
            }
        }
        return null;
    }

    private List<AsideRow> dueNow() {
        return rows.aside()
                .due(shape.id(), request.stage(), rows.now(), request.max(), Deliveries.MAX_BYTES);
    }

    private Claimed retry(List<AsideRow> due) {
        return handOut.retry(
                isLast(due.get(0))
                        ? due.subList(0, 1)
                        : due.stream().filter(row -> !isLast(row)).toList());
    }
}

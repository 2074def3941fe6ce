// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.Shape;

/** A stage's done moves up behind its claims, and with it the gate. */
final class Progress {

    private Progress() {}

    /**
     * Writes a strand with {@code done} where its claims, which are written already, leave it, and
     * moves the gate with it.
     */
    static void write(RingRows rows, Shape shape, Strand strand) {
        long done =
                rows.strands()
                        .lowest(shape.id(), strand.stage(), strand.lane())
                        .orElse(strand.claimed());
        rows.strands().put(shape.id(), strand.doneTo(done));
        if (done != strand.done()) {
            GateRule.update(rows, shape, strand.lane());
        }
    }
}

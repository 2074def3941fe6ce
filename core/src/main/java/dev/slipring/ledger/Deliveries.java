// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.Delivery;
import dev.slipring.engine.SlotCodec;

import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * The messages of a claim. Each is decoded from its slot when it is looked at: so the worker does
 * it, and not the transaction, for which others wait.
 */
public final class Deliveries extends AbstractList<Delivery> implements RandomAccess {

    /**
     * A claim stops at the slot with which it has this many bytes, so that a worker's memory is
     * bounded.
     */
    public static final long MAX_BYTES = 4 << 20;

    private final ClaimRow claim;
    private final SlotRow[] slots;
    private final long[] positions;

    /** The messages that a claim holds, of the slots that it is in. */
    public Deliveries(ClaimRow claim, List<SlotRow> all) {
        this.claim = claim;
        slots = new SlotRow[claim.left()];
        positions = new long[claim.left()];
        int next = 0;
        for (SlotRow slot : all) {
            long end = Math.min(slot.end(), claim.to());
            for (long at = Math.max(slot.first(), claim.from()); at < end; at++) {
                if (claim.holds(at)) {
                    slots[next] = slot;
                    positions[next++] = at;
                }
            }
        }
    }

    @Override
    public Delivery get(int index) {
        SlotRow slot = slots[index];
        int place = (int) (positions[index] - slot.first());
        return new Delivery(
                SlotCodec.decode(slot.body(), place),
                claim.lane(),
                positions[index],
                claim.attempt(),
                Instant.ofEpochMilli(slot.pushedAt()));
    }

    @Override
    public int size() {
        return positions.length;
    }
}

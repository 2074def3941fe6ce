// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.Delivery;
import dev.slipring.engine.SlotCodec;

import java.util.List;

/** The positions of a claim: ranges, each a lower bound and one behind the last. */
record Positions(Long[] bounds) {

    /** Adds those messages of a slot that belong to the claim. */
    void read(ClaimedSlot slot, byte[] body, int lane, List<Delivery> deliveries) {
        long end = slot.first + SlotCodec.count(body);
        for (int i = 0; i < bounds.length; i += 2) {
            long to = Math.min(bounds[i + 1], end);
            for (long at = Math.max(bounds[i], slot.first); at < to; at++) {
                deliveries.add(
                        new Delivery(
                                SlotCodec.decode(body, (int) (at - slot.first)),
                                lane,
                                at,
                                slot.attempt,
                                slot.pushedAt));
            }
        }
    }
}

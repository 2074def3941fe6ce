// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.LaneTable.SlotReader;
import dev.slipring.ledger.SlotRow;

import java.util.List;

/** Whether the slots of a lane stand in their cells, and are as long as their rows say. */
final class StoredAudit {

    private final LaneState lane;
    private final SlotReader reader;
    private long next;

    StoredAudit(LaneState lane, SlotReader reader) {
        this.lane = lane;
        this.reader = reader;
        next = lane.oldestTurn();
    }

    /** Looks at the next slots, and shows them, with their bodies. */
    void see(List<StoredSlot> all, List<SlotRow> bodies) {
        for (int i = 0; i < all.size(); i++) {
            StoredSlot stored = all.get(i);
            SlotRow slot = bodies.get(i);
            if (stored.turn() < next) {
                reader.wrong(
                        "the slot at "
                                + slot.first()
                                + " has the turn "
                                + stored.turn()
                                + " in slipring_slot, where "
                                + next
                                + " should be");
            }
            // A later one: what is between is lost, which its positions tell.
            next = Math.max(next, stored.turn() + 1);
            if (slot.body().length != stored.size()) {
                reader.wrong(
                        "the slot at "
                                + slot.first()
                                + " is to have "
                                + stored.size()
                                + " bytes (slipring_slot.size), its body has "
                                + slot.body().length);
            }
            reader.slot(slot);
        }
    }

    /** All slots were seen. */
    void end() {
        if (next != lane.turn()) {
            reader.wrong(
                    "its slots end at turn " + next + ", and slipring_lane.turn is " + lane.turn());
        }
    }
}

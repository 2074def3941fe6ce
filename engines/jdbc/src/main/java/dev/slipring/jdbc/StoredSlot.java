// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.SlotRow;

/**
 * A slot as it is stored. Its body may be missing here where that stands in rows of its own, or was
 * not asked for.
 *
 * @param turn its number
 * @param size how long its body is
 * @param pieces in how many rows that is; 0 if it is in the slot's own
 * @param row the slot
 */
record StoredSlot(long turn, int size, int pieces, SlotRow row) {

    /** Whether the body is here. */
    boolean isWhole() {
        return row.body() != null && row.body().length == size;
    }

    /** The same with the slot as it was read, with its body. */
    StoredSlot holding(SlotRow read) {
        return new StoredSlot(turn, size, pieces, read);
    }

    /** The slot with a body. */
    SlotRow with(byte[] body) {
        return new SlotRow(
                row.lane(),
                row.first(),
                row.count(),
                row.producer(),
                row.number(),
                row.pushedAt(),
                body);
    }
}

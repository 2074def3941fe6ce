// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slots that were lately pushed or read, up to some bytes. A slot never changes, and neither its
 * number nor a ring's id is ever used again, so a committed slot is right for good; one that was
 * not committed must never come in.
 */
final class SlotCache {

    private static final int OVERHEAD = 200;

    private final Map<At, StoredSlot> slots = new LinkedHashMap<>(64, 0.75f, true);
    private final long most;
    private long bytes;

    /** A cache of at most so many bytes. */
    SlotCache(long most) {
        this.most = most;
    }

    /** How many bytes it has at most. */
    long most() {
        return most;
    }

    /**
     * Names a slot.
     *
     * @param ring the ring's id
     * @param lane the lane
     * @param turn the slot's number
     */
    record At(long ring, int lane, long turn) {}

    /** A slot with its body; null if it is not here. */
    synchronized StoredSlot get(long ring, int lane, long turn) {
        return slots.get(new At(ring, lane, turn));
    }

    /** Keeps slots, and forgets those that nobody asked for longest. */
    synchronized void keep(Map<At, StoredSlot> committed) {
        committed.forEach(
                (at, slot) -> {
                    StoredSlot before = slots.put(at, slot);
                    bytes += OVERHEAD + slot.size();
                    bytes -= before == null ? 0 : OVERHEAD + before.size();
                });
        Iterator<StoredSlot> oldest = slots.values().iterator();
        while (bytes > most) {
            bytes -= OVERHEAD + oldest.next().size();
            oldest.remove();
        }
    }

    /** Forgets everything. */
    synchronized void clear() {
        slots.clear();
        bytes = 0;
    }

    /** Forgets the slots from a number up to another, which were released. */
    synchronized void forget(long ring, int lane, long from, long behind) {
        for (long turn = from; turn < behind; turn++) {
            forget(ring, lane, turn);
        }
    }

    /** Forgets a slot that was released. */
    synchronized void forget(long ring, int lane, long turn) {
        StoredSlot gone = slots.remove(new At(ring, lane, turn));
        bytes -= gone == null ? 0 : OVERHEAD + gone.size();
    }
}

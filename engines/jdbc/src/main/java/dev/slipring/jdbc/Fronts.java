// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fronts of lanes as pushes of this process left them. A push takes the front of its lane out,
 * and puts the new one in when it is committed. What is here may be stale: the server notices that
 * by the number of the next slot. Thread-safe.
 */
final class Fronts {

    private final Map<At, Front> known = new ConcurrentHashMap<>();

    private record At(long ring, int lane) {}

    /**
     * Where a lane goes on.
     *
     * @param turn the number of its next slot
     * @param messages how many messages may follow without a look at the other lanes
     * @param bytes how many bytes
     * @param slots how many slots
     * @param extent where they go to
     */
    record Front(long turn, long messages, long bytes, long slots, Extent extent) {

        /** Whether a slot may follow. */
        boolean hasRoom(int count, int size) {
            return count <= messages && size <= bytes && slots > 0;
        }

        /** The cell of the next slot. */
        long cell() {
            return extent.of(turn);
        }

        /** The same behind one more slot. */
        Front behind(int count, int size) {
            return new Front(turn + 1, messages - count, bytes - size, slots - 1, extent);
        }
    }

    /** Takes a front that a slot may follow; null if none is known. */
    Front take(long ring, int lane, int count, int size) {
        Front front = known.remove(new At(ring, lane));
        return front == null || !front.hasRoom(count, size) ? null : front;
    }

    /** Forgets a ring that is gone. */
    void forget(long ring) {
        known.keySet().removeIf(at -> at.ring() == ring);
    }

    /** Forgets all. */
    void forgetAll() {
        known.clear();
    }

    void put(long ring, int lane, Front front) {
        known.put(new At(ring, lane), front);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bodies of large slots that were lately written or read, up to 16 MiB. A slot never changes,
 * and neither a position nor a ring's id is ever used again, so a committed body is right for good;
 * one that was not committed must never come in.
 */
final class BodyCache {

    /** Smaller bodies come along with their row at no cost, and are not kept here. */
    static final int SMALL = 2_000;

    static final long MOST_BYTES = 16L << 20;

    private final Map<At, byte[]> bodies = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    /**
     * Names a slot.
     *
     * @param ring the ring's id
     * @param lane the lane
     * @param first the position of its first message
     */
    record At(long ring, int lane, long first) {}

    /** The body of a slot; null if it is not here. */
    synchronized byte[] get(At at) {
        return bodies.get(at);
    }

    /** Forgets a body that nobody is likely to ask for. */
    synchronized void forget(At at) {
        byte[] body = bodies.remove(at);
        bytes -= body == null ? 0 : body.length;
    }

    /** Keeps bodies, and forgets those that nobody asked for longest. */
    synchronized void keep(Map<At, byte[]> committed) {
        committed.forEach(
                (at, body) -> {
                    byte[] before = bodies.put(at, body);
                    bytes += body.length - (before == null ? 0 : before.length);
                });
        Iterator<byte[]> oldest = bodies.values().iterator();
        while (bytes > MOST_BYTES) {
            bytes -= oldest.next().length;
            oldest.remove();
        }
    }
}

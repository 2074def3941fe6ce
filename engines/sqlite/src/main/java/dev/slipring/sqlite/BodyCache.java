// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bodies in cells that were lately written or read, up to 16 MiB; those in rows come along with
 * their row at no cost. A slot never changes, and neither a position nor a ring's id is ever used
 * again, so a committed body is right for good; one that was not committed must never come in.
 */
final class BodyCache {

    static final long MOST_BYTES = 16L << 20;

    private final Map<At, Kept> bodies = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    /**
     * Of a lane whose stages are so far behind that what is pushed would be gone before they come
     * to it: the first position that was not kept for that reason.
     */
    private final Map<Lane, Long> behind = new HashMap<>();

    /**
     * Names a slot.
     *
     * @param ring the ring's id
     * @param lane the lane
     * @param first the position of its first message
     */
    record At(long ring, int lane, long first) {}

    /**
     * Names a lane.
     *
     * @param ring the ring's id
     * @param lane the lane
     */
    private record Lane(long ring, int lane) {

        static Lane of(At at) {
            return new Lane(at.ring, at.lane);
        }
    }

    /** A body, and whether anybody has asked for it. */
    private static final class Kept {

        private final byte[] body;
        private boolean wanted;

        Kept(byte[] body, boolean wanted) {
            this.body = body;
            this.wanted = wanted;
        }
    }

    /** The body of a slot; null if it is not here. */
    synchronized byte[] get(At at) {
        Long from = behind.get(Lane.of(at));
        if (from != null && at.first >= from) {
            behind.remove(Lane.of(at));
        }
        Kept kept = bodies.get(at);
        if (kept == null) {
            return null;
        }
        kept.wanted = true;
        return kept.body;
    }

    /** Forgets a body that nobody is likely to ask for. */
    synchronized void forget(At at) {
        Kept kept = bodies.remove(at);
        bytes -= kept == null ? 0 : kept.body.length;
    }

    /** Keeps bodies that were read, and forgets those that nobody asked for longest. */
    synchronized void keep(Map<At, byte[]> read) {
        read.forEach((at, body) -> put(at, new Kept(body, true)));
        shrink();
    }

    /** Keeps bodies that were pushed, as long as the stages come to them while they are here. */
    synchronized void keepPushed(Map<At, byte[]> pushed) {
        pushed.forEach(
                (at, body) -> {
                    if (behind.computeIfPresent(Lane.of(at), (lane, from) -> least(from, at))
                            == null) {
                        put(at, new Kept(body, false));
                    }
                });
        shrink();
    }

    private static long least(long from, At at) {
        return Math.min(from, at.first);
    }

    private void put(At at, Kept kept) {
        Kept before = bodies.put(at, kept);
        bytes += kept.body.length - (before == null ? 0 : before.body.length);
    }

    private void shrink() {
        Iterator<Map.Entry<At, Kept>> oldest = bodies.entrySet().iterator();
        while (bytes > MOST_BYTES) {
            Map.Entry<At, Kept> entry = oldest.next();
            bytes -= entry.getValue().body.length;
            if (!entry.getValue().wanted) {
                behind.putIfAbsent(Lane.of(entry.getKey()), Long.MAX_VALUE);
            }
            oldest.remove();
        }
    }
}

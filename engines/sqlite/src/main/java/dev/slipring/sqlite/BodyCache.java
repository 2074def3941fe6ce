// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bodies in cells that were lately written or read, up to 16 MiB; those in rows come along with
 * their row at no cost. A slot never changes, and neither a position nor a ring's id is ever used
 * again, except in a file that is set back to a backup while it is open. So a committed body stays
 * right as long as the time at which its slot was pushed is the same. One that was not committed
 * must never come in.
 */
final class BodyCache {

    static final long MOST_BYTES = 16L << 20;

    private final Map<At, Kept> bodies = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    /**
     * Lanes whose stages are so far behind that bodies would be pushed out before the stages come
     * to them, with the first position that was not kept for that reason.
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

    /**
     * A body.
     *
     * @param bytes what it is
     * @param pushedAt when its slot was pushed
     */
    record Body(byte[] bytes, long pushedAt) {}

    /** A body, and whether anybody has asked for it. */
    private static final class Kept {

        private final Body body;
        private boolean wanted;

        Kept(Body body, boolean wanted) {
            this.body = body;
            this.wanted = wanted;
        }
    }

    /** The body of a slot that was pushed then; null if it is not here. */
    synchronized byte[] get(At at, long pushedAt) {
        Long from = behind.get(Lane.of(at));
        if (from != null && at.first >= from) {
            behind.remove(Lane.of(at));
        }
        Kept kept = bodies.get(at);
        if (kept == null || kept.body.pushedAt != pushedAt) {
            return null;
        }
        kept.wanted = true;
        return kept.body.bytes;
    }

    /** Forgets a body that nobody is likely to ask for. */
    synchronized void forget(At at) {
        Kept kept = bodies.remove(at);
        bytes -= kept == null ? 0 : kept.body.bytes.length;
    }

    /** Keeps bodies that were read, and forgets those that nobody asked for longest. */
    synchronized void keep(Map<At, Body> read) {
        read.forEach((at, body) -> put(at, new Kept(body, true)));
        shrink();
    }

    /** Keeps bodies that were pushed, as long as the stages come to them while they are here. */
    synchronized void keepPushed(Map<At, Body> pushed) {
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
        bytes += kept.body.bytes.length - (before == null ? 0 : before.body.bytes.length);
    }

    private void shrink() {
        Iterator<Map.Entry<At, Kept>> oldest = bodies.entrySet().iterator();
        while (bytes > MOST_BYTES) {
            Map.Entry<At, Kept> entry = oldest.next();
            bytes -= entry.getValue().body.bytes.length;
            if (!entry.getValue().wanted) {
                behind.putIfAbsent(Lane.of(entry.getKey()), Long.MAX_VALUE);
            }
            oldest.remove();
        }
    }
}

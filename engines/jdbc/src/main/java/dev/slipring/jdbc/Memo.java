// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.graph.Shape;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a store remembers between its transactions.
 *
 * @param shapes the shapes of rings; whoever relies on one makes sure that it still holds
 * @param ids the ids of rings, as they were last seen
 * @param margins which rings are short of room
 * @param fronts where lanes go on
 * @param homes the lane of each ring that this process pushes to and claims from
 * @param slots slots that were committed
 * @param losses how often what was committed was forgotten; its monitor is held while that is, and
 *     while something is learned
 */
record Memo(
        Map<String, Shape> shapes,
        Map<String, Long> ids,
        Margins margins,
        Fronts fronts,
        Map<Long, HomeLane> homes,
        SlotCache slots,
        AtomicLong losses) {

    private static final long MOST_BYTES = 16L << 20;

    /**
     * A memo of nothing.
     *
     * @param seesBreaks whether a lost connection is noticed, so that slots can be remembered
     */
    Memo(boolean seesBreaks) {
        this(
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                new Margins(),
                new Fronts(),
                new ConcurrentHashMap<>(),
                new SlotCache(seesBreaks ? MOST_BYTES : 0),
                new AtomicLong());
    }

    /** Whether what was committed can be remembered. */
    boolean remembers() {
        return slots.most() > 0;
    }

    /** The lane of a ring that this process pushes to and claims from. */
    HomeLane home(long ring) {
        return homes.computeIfAbsent(ring, id -> new HomeLane());
    }

    /**
     * Forgets what was committed: a server that was gone, and does not sync its commits, may have
     * come back with less, and count on from there.
     */
    void forgetCommitted() {
        synchronized (losses) {
            losses.incrementAndGet();
            slots.clear();
            fronts.forgetAll();
            homes.clear();
        }
    }

    /**
     * Learns what a transaction has committed, unless a connection was lost since it began: the
     * server that said so may not be the one that is there now.
     *
     * @param since the losses when it began
     */
    void learn(long since, Runnable lesson) {
        synchronized (losses) {
            if (losses.get() == since) {
                lesson.run();
            }
        }
    }

    /**
     * A ring was found; or it is gone, and the shape is null. What is known of another ring that
     * had its name is forgotten.
     */
    void found(String name, Shape shape) {
        Long before = shape == null ? ids.remove(name) : ids.put(name, shape.id());
        if (before != null && (shape == null || before != shape.id())) {
            forget(before);
        }
    }

    /** A ring was dropped; no other will have its id. */
    void forget(long ring) {
        ids.values().remove(ring);
        margins.learn(ring, false);
        fronts.forget(ring);
        homes.remove(ring);
    }

    /** The same with no shape known. */
    Memo withoutShapes() {
        return new Memo(new ConcurrentHashMap<>(), ids, margins, fronts, homes, slots, losses);
    }
}

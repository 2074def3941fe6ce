// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Claimed;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * Where the workers of this process look first. A full look, at what ran out and what is due in all
 * lanes, costs more than to take what is new in one lane, which is called calm. So one claim every
 * tenth of a second takes a full look, and the others are calm. Any thread.
 */
final class Glances {

    private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ConcurrentMap<Key, Glance> glances = new ConcurrentHashMap<>();

    private record Key(String ring, String stage) {}

    /** What was seen of a stage last. A race of two threads costs a look, nothing else. */
    static final class Glance {

        private volatile int lane;
        private volatile long wholeAt = System.nanoTime() - CALM_NANOS;

        /** Whether that look found nothing anywhere, and did not end where it found something. */
        private volatile boolean wasIdle;

        /** The lane to begin with. */
        int lane() {
            return lane;
        }

        /** Whether somebody took a full look just now, so that a claim may be calm. */
        boolean isCalm() {
            return System.nanoTime() - wholeAt < CALM_NANOS;
        }

        /** A claim of at most so many messages was made; it was calm if it took what is new. */
        void saw(Claimed claimed, int max, boolean calm) {
            if (claimed.isEmpty()) {
                if (!calm && claimed.isIdle()) {
                    // What comes now is new, or runs out where the calm look sees it.
                    wasIdle = true;
                    wholeAt = System.nanoTime();
                }
                return;
            }
            if (!calm && isNew(claimed)) {
                // The full look came to what is new, so there was nothing else, and the stage may
                // go on.
                wasIdle = false;
                wholeAt = System.nanoTime();
            }
            // Where there was less than wanted there is nothing more; others have their turn.
            int at = claimed.ticket().lane();
            lane = claimed.deliveries().size() < max ? at + 1 : at;
        }

        /**
         * Whether a full look is needed although a calm claim found nothing: a gate that is ahead
         * of its messages may hide them.
         */
        boolean mustLook(Claimed claimed, boolean calm) {
            return calm && !wasIdle && claimed.isIdle();
        }

        /** Something failed: the next claim is to take a full look. */
        void disturb() {
            wholeAt = System.nanoTime() - CALM_NANOS;
        }

        private static boolean isNew(Claimed claimed) {
            return !claimed.ticket().retry() && claimed.deliveries().get(0).attempt() == 1;
        }
    }

    /** Forgets what was seen of the stages of a ring. */
    void forget(String ring) {
        glances.keySet().removeIf(key -> key.ring().equals(ring));
    }

    /** What was seen of a stage. */
    Glance of(String ring, String stage) {
        return glances.computeIfAbsent(new Key(ring, stage), any -> new Glance());
    }
}

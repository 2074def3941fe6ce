// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.OutcomeUnknown;
import dev.slipring.RingFull;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.engine.BetweenTries;
import dev.slipring.engine.Slot;
import dev.slipring.engine.Store;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The identity under which a writer pushes: an id that nobody else has, and a number for each push.
 * With these the store can be asked about a push whose outcome is unknown, so that it is neither
 * lost nor made twice. Used by one thread.
 */
final class Producer {

    private static final SecureRandom IDS = new SecureRandom();
    private static final long ASK_FOR_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Store store;
    private final String ring;
    private final int lanes;
    private final long id = IDS.nextLong() | 1;
    private long number;
    private int lane;

    Producer(Store store, String ring, int lanes) {
        this.store = store;
        this.ring = ring;
        this.lanes = lanes;
        this.lane = IDS.nextInt(lanes);
    }

    /** What says of an entry whether it would fit if the ring were empty, as that is now. */
    Predicate<Entry> fitsEmpty() {
        try {
            return store.shape(ring)
                    .<Predicate<Entry>>map(shape -> entry -> entry.fits(shape.spec()))
                    .orElse(entry -> false);
        } catch (RuntimeException e) {
            // They go on waiting, and are asked about again: the failure is told to nobody.
            return entry -> true;
        }
    }

    /**
     * Pushes messages in one transaction and returns when they are durable.
     *
     * @param patience about how long to wait for others who keep a lane
     * @return lanes that others keep, if that is why nothing has happened; else none
     */
    Set<Integer> push(List<Message> messages, Duration patience) {
        number++;
        List<Slot> slots = Slots.of(messages, lanes, lane, id, number);
        try {
            return store.tryPush(ring, slots, patience);
        } catch (OutcomeUnknown unknown) {
            repeat(slots, patience, unknown);
            return Set.of();
        }
    }

    /**
     * Pushes again, under the same number, what may be stored already. If that cannot be done
     * either, the outcome stays unknown, and the caller is told so. Any other error would be taken
     * for a refusal: the caller would push again, under another number, while the first push may
     * still succeed.
     */
    private void repeat(List<Slot> slots, Duration patience, OutcomeUnknown first) {
        long deadline = System.nanoTime() + ASK_FOR_NANOS;
        OutcomeUnknown unknown = first;
        SlipringException obstacle = null;
        while (!isPushed(unknown, deadline)) {
            try {
                if (store.tryPush(ring, slots, patience).isEmpty()) {
                    return;
                }
            } catch (OutcomeUnknown again) {
                unknown = again;
            } catch (RingFull | StoreFailed e) {
                obstacle = e;
            }
            if (System.nanoTime() - deadline > 0) {
                if (obstacle != null) {
                    unknown.addSuppressed(obstacle);
                }
                throw unknown;
            }
            BetweenTries.sleep(FIRST_PAUSE_NANOS);
        }
    }

    /** Puts messages without a key elsewhere from now on if others keep their lane, not all. */
    boolean avoid(Set<Integer> kept) {
        for (int i = 1; kept.contains(lane) && i < lanes; i++) {
            int other = (lane + i) % lanes;
            if (!kept.contains(other)) {
                lane = other;
                return true;
            }
        }
        return false;
    }

    /** Asks until the store answers, or the time is over. */
    private boolean isPushed(OutcomeUnknown unknown, long deadline) {
        long pause = FIRST_PAUSE_NANOS;
        while (true) {
            try {
                return store.pushed(ring, id) >= number;
            } catch (NoSuchRing dropped) {
                // With all that was in it: there is nothing more to ask.
                throw dropped;
            } catch (SlipringException e) {
                if (System.nanoTime() - deadline > 0) {
                    unknown.addSuppressed(e);
                    throw unknown;
                }
            }
            BetweenTries.sleep(pause);
            pause = Math.min(pause * 2, TimeUnit.SECONDS.toNanos(1));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.Message;
import dev.slipring.OutcomeUnknown;
import dev.slipring.SlipringException;
import dev.slipring.engine.Pause;
import dev.slipring.engine.Slot;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;

import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Who pushes: an id that nobody else has, and a number for each push. A push whose outcome is
 * unknown is asked after by these, so it is neither lost nor made twice. Used by one thread.
 */
final class Producer {

    private static final SecureRandom IDS = new SecureRandom();
    private static final long ASK_FOR_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** What a slot costs above its messages, for each message and for itself; an upper bound. */
    private static final long PER_MESSAGE = 16;

    private static final long PER_SLOT = 64;

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

    /** How many bytes the slots of an entry take at most. */
    long size(Entry entry) {
        return entry.bytes + PER_MESSAGE * entry.messages.size() + PER_SLOT;
    }

    /** Whether an entry would fit if the ring were empty; also if nobody can say so now. */
    boolean canEverFit(Entry entry) {
        try {
            return store.shape(ring).map(shape -> fits(entry, shape.spec())).orElse(false);
        } catch (SlipringException e) {
            // It waits on, and is asked about again: nobody else hears of a failure here.
            return true;
        }
    }

    private static boolean fits(Entry entry, RingSpec empty) {
        return entry.messages.size() <= empty.messages()
                && entry.bytes + 4L * entry.messages.size() + 6 <= empty.bytes();
    }

    /** Pushes messages in one transaction and returns when they are durable. */
    void push(List<Message> messages) {
        number++;
        List<Slot> slots = Slots.of(messages, lanes, lane, id, number);
        while (true) {
            try {
                store.push(ring, slots);
                return;
            } catch (OutcomeUnknown unknown) {
                if (isPushed(unknown)) {
                    return;
                }
            }
        }
    }

    /** Asks until the store answers. */
    private boolean isPushed(OutcomeUnknown unknown) {
        long deadline = System.nanoTime() + ASK_FOR_NANOS;
        long pause = TimeUnit.MILLISECONDS.toNanos(10);
        while (true) {
            try {
                return store.pushed(ring, id) >= number;
            } catch (SlipringException e) {
                if (System.nanoTime() - deadline > 0) {
                    unknown.addSuppressed(e);
                    throw unknown;
                }
            }
            Pause.sleep(pause);
            pause = Math.min(pause * 2, TimeUnit.SECONDS.toNanos(1));
        }
    }
}

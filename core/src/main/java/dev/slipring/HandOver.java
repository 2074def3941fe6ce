// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Sequence;
import dev.slipring.ring.Waiting;
import dev.slipring.threads.Unbroken;

/**
 * A ring between the workers of a stage: the messages that one of them claimed, for all to handle,
 * and behind them the turn to claim the next.
 *
 * <pre>
 *     who has the turn --&gt; [ message, message, turn ] --&gt; workers
 * </pre>
 *
 * There is one turn. The worker who takes it may put messages into the ring, and puts the turn
 * behind them. So the turn comes to a worker who finds nothing else to handle, and the others wait
 * until they are woken for something.
 */
final class HandOver {

    private final RingQueue<Place> ring;
    private final SPSequence turns;
    private final MCSequence workers;

    /** What a worker takes: a message of a hand, or the turn if there is no hand. */
    static final class Place {

        private SharedClaim hand;
        private int index;

        /** The hand that the message is of; null for the turn. */
        SharedClaim hand() {
            return hand;
        }

        /** Which message of the hand. */
        int index() {
            return index;
        }

        /** Holds nothing any more. */
        void clear() {
            set(null, 0);
        }

        private void set(SharedClaim newHand, int newIndex) {
            hand = newHand;
            index = newIndex;
        }
    }

    /** With the turn in it, and room for so many messages beside. */
    HandOver(int messages) {
        int capacity = Math.max(Integer.highestOneBit(messages) * 2, 2);
        ring = new RingQueue<>(Place::new, capacity);
        turns = new SPSequence(capacity);
        workers = new MCSequence(capacity);
        workers.waiting(Waiting.BLOCK);
        turns.then(workers).then(turns);
        turns.done(turns.next());
    }

    /**
     * Hands over the messages of a hand, except the first, and the turn behind them. For the worker
     * who has the turn.
     *
     * @param hand what was claimed; null for nothing
     */
    void give(SharedClaim hand) {
        int messages = hand == null ? 0 : hand.size() - 1;
        long first = places(messages + 1);
        for (int i = 0; i < messages; i++) {
            ring.get(first + i).set(hand, i + 1);
        }
        ring.get(first + messages).set(null, 0);
        turns.done(first + messages);
    }

    /** There is room as soon as those have read who have just taken the places. */
    private long places(int n) {
        return Unbroken.get(() -> turns.waitForNext(n, Long.MAX_VALUE));
    }

    /** Nothing more is handed over, and there is no turn any more. For the worker who has it. */
    void close() {
        turns.close();
    }

    /**
     * Takes what has waited longest; waits for it.
     *
     * @return false if there is nothing and will be nothing
     */
    boolean take(Place mine) throws InterruptedException {
        return taken(workers.waitForNext(), mine);
    }

    /** Takes what has waited longest if there is something. */
    boolean poll(Place mine) {
        long at = workers.next();
        while (at == Sequence.LOST) {
            at = workers.next();
        }
        return taken(at, mine);
    }

    private boolean taken(long at, Place mine) {
        if (at < 0) {
            return false;
        }
        Place place = ring.get(at);
        mine.set(place.hand, place.index);
        place.clear();
        workers.done(at);
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Store;
import dev.slipring.journal.Slots;

import java.sql.Connection;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A ring inside a transaction of yours: all that is pushed or reported here takes effect when the
 * transaction commits, or not at all.
 *
 * <p>{@code push} does not wait for room. It does wait for another open transaction that keeps a
 * lane of its keys. A call that fails with {@link StoreFailed} has broken the transaction on most
 * databases: roll it back.
 *
 * <p>For the thread that has the transaction: if two threads call at the same time, the second is
 * refused with {@link IllegalStateException}. Until the transaction ends, its thread should not
 * push, claim or report anything outside of it: that may wait for the transaction, and in a SQLite
 * file it always does.
 *
 * <p>The {@link Listener} and Flight Recorder are not told what is pushed or reported here, except
 * a report that came too late.
 */
public final class Joined {

    /**
     * Transactions, and the threads at work in them: a second thread would overwrite what the first
     * one writes.
     */
    private static final Map<Connection, Thread> BUSY =
            Collections.synchronizedMap(new IdentityHashMap<>());

    private final Ring ring;
    private final int lanes;
    private final int lane;
    private final Store store;
    private final Connection transaction;

    /** Messages without a key go into one lane, so that they keep their order. */
    Joined(Ring ring, int lanes, int lane, Store store, Connection transaction) {
        this.ring = ring;
        this.lanes = lanes;
        this.lane = lane;
        this.store = store;
        this.transaction = transaction;
    }

    /**
     * Pushes messages.
     *
     * @throws RingFull if there is not room for all
     * @throws IllegalArgumentException if one is too large; the transaction may go on
     */
    public void push(Message... messages) {
        ring.checkOpen();
        if (messages.length > 0) {
            List<Message> all = ring.checked(Arrays.asList(messages));
            alone(() -> store.push(ring.name(), Slots.of(all, lanes, lane, 0, 0)));
        }
    }

    /**
     * Reports all that is left of the claim as done.
     *
     * @throws Fenced if its lease had run out, or this transaction has reported on all of it
     *     already
     * @throws IllegalArgumentException if it is of another ring, or was claimed through another
     *     {@link Slipring}
     */
    public void done(Claim claim) {
        say(claim, Word.rest(Rest.DONE));
    }

    /**
     * Reports a message of the claim as done.
     *
     * @throws Fenced if the lease had run out
     * @throws NotInHand if the message is not of this claim, or settled already
     * @throws IllegalArgumentException if the claim is not of this ring, see {@link #done(Claim)}
     */
    public void done(Claim claim, Delivery delivery) {
        say(claim, Word.done(claim.own(delivery)));
    }

    /**
     * Reports a message of the claim as failed; it is tried again after the stage's back-off, or is
     * dead.
     *
     * @param error what went wrong, in words
     * @throws Fenced if the lease had run out
     * @throws NotInHand if the message is not of this claim, or settled already
     * @throws IllegalArgumentException if the claim is not of this ring, see {@link #done(Claim)}
     */
    public void fail(Claim claim, Delivery delivery, String error) {
        say(claim, Word.failed(new Failed(claim.own(delivery).position(), error)));
    }

    /**
     * Starts the lease of the claim again, from now.
     *
     * @throws Fenced if it had run out
     * @throws IllegalArgumentException if the claim is not of this ring, see {@link #done(Claim)}
     */
    public void extend(Claim claim) {
        say(claim, Word.rest(Rest.EXTEND));
    }

    /** Says something of a claim, if it is not empty. */
    void say(Claim claim, Word word) {
        if (claim.isEmpty()) {
            return;
        }
        ring.checkOpen();
        requireOurs(claim);
        alone(
                () ->
                        claim.speakElsewhere(
                                word, () -> store.settle(ring.name(), word.about(claim.ticket()))));
    }

    private void alone(Runnable work) {
        Thread here = Thread.currentThread();
        Thread before = BUSY.putIfAbsent(transaction, here);
        if (before != null && before != here) {
            throw new IllegalStateException(
                    "another thread is at work in this transaction; it is for one thread at a"
                            + " time");
        }
        try {
            work.run();
        } finally {
            if (before == null) {
                BUSY.remove(transaction);
            }
        }
    }

    /**
     * Refuses a claim of another ring or store: here another claim may have its lane, positions and
     * epoch.
     */
    private void requireOurs(Claim claim) {
        if (!claim.isOf(ring)) {
            throw new IllegalArgumentException(
                    claim.ring().equals(ring.name())
                            ? "the claim was not made through this Slipring, or before ring '"
                                    + ring.name()
                                    + "' was made anew; nothing was said"
                            : "the claim is of ring '"
                                    + claim.ring()
                                    + "' and not of ring '"
                                    + ring.name()
                                    + "'; nothing was said");
        }
    }
}

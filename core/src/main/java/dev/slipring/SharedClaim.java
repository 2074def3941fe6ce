// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A claim whose messages are handled by several workers. It gathers what became of each message, so
 * that all of it can be reported together. Thread-safe; the claim's lock is held while something is
 * said.
 */
final class SharedClaim {

    private static final Object DONE = "done";
    private static final Object BACK = "back";
    private static final Object SAID = "said";

    private final Claim claim;
    private final List<Delivery> deliveries;

    /** What became of each message: DONE, BACK, how it failed, or SAID; null while it is open. */
    private final AtomicReferenceArray<Object> fates;

    private final AtomicInteger open;

    private final long since = System.nanoTime();

    /** About when the last message was finished; written before {@link #open} is counted down. */
    private long until;

    /** The messages named in the word that is being said; guarded by the claim's lock. */
    private final BitSet saying = new BitSet();

    /**
     * The last word on a part of the claim, if the store failed and may have taken it; guarded by
     * the lock.
     */
    private Word unsure;

    private volatile boolean closed;

    SharedClaim(Claim claim) {
        this.claim = claim;
        this.deliveries = claim.deliveries();
        this.fates = new AtomicReferenceArray<>(deliveries.size());
        this.open = new AtomicInteger(deliveries.size());
    }

    Claim claim() {
        return claim;
    }

    int size() {
        return deliveries.size();
    }

    Delivery delivery(int index) {
        return deliveries.get(index);
    }

    /** A message is done. */
    void done(int index) {
        become(index, DONE);
    }

    /** A message failed. */
    void failed(int index, String error) {
        become(index, new Failed(deliveries.get(index).position(), error));
    }

    /** A message was not handled: it goes back with the last word. */
    void back(int index) {
        become(index, BACK);
    }

    private void become(int index, Object fate) {
        fates.setRelease(index, fate);
        until = System.nanoTime();
        open.decrementAndGet();
    }

    /** Whether something became of every message. */
    boolean isComplete() {
        return open.get() == 0;
    }

    /** How long its messages were in hand, in nanoseconds; when it is complete. */
    long took() {
        return until - since;
    }

    /** Whether everything is said, or nothing can be said any more. */
    boolean isClosed() {
        return closed || claim.isLost();
    }

    /** Says what nothing was said about yet, if there is anything. */
    void say() {
        claim.locked(
                () -> {
                    sayAgain();
                    Word word = isClosed() ? null : word();
                    if (word != null) {
                        unsure = word.rest() == Rest.KEEP ? word : null;
                        settle(word);
                    }
                });
    }

    /** Says it in the transaction of the next claim; claims alone if there is nothing to say. */
    Claim next(Claiming stage, int max) {
        return claim.locked(() -> sayAndClaim(stage, max));
    }

    private Claim sayAndClaim(Claiming stage, int max) {
        sayAgain();
        Word word = isClosed() ? null : word();
        if (word == null) {
            return stage.claimNow(max);
        }
        try {
            Claim next = stage.nextNow(claim, word, max);
            said(word);
            return next;
        } catch (IllegalArgumentException e) {
            throw leftToLease(e);
        }
    }

    /** A word that is refused as wrong would be so for ever: its claim is left to the lease. */
    private IllegalArgumentException leftToLease(IllegalArgumentException refusal) {
        closed = true;
        return refusal;
    }

    /** The word on what nothing was said about yet; null if there is nothing. */
    private Word word() {
        // Read before the fates: if the claim is complete now, the loop below sees the fate of
        // every message.
        boolean complete = isComplete();
        List<Delivery> done = new ArrayList<>();
        List<Failed> failed = new ArrayList<>();
        boolean back = false;
        saying.clear();
        for (int i = 0; i < deliveries.size(); i++) {
            Object fate = fates.getAcquire(i);
            if (fate == DONE) {
                done.add(deliveries.get(i));
                saying.set(i);
            } else if (fate == BACK) {
                back = true;
            } else if (fate instanceof Failed failure) {
                failed.add(failure);
                saying.set(i);
            }
        }
        if (complete) {
            return new Word(back ? done : List.of(), failed, back ? Rest.GIVE_BACK : Rest.DONE);
        }
        return done.isEmpty() && failed.isEmpty() ? null : new Word(done, failed, Rest.KEEP);
    }

    /** Repeats a word that the store may have taken already, exactly as it was said first. */
    private void sayAgain() {
        if (unsure != null && !isClosed()) {
            settle(unsure);
        }
    }

    private void settle(Word word) {
        try {
            claim.settle(word);
        } catch (IllegalArgumentException e) {
            throw leftToLease(e);
        }
        said(word);
    }

    private void said(Word word) {
        unsure = null;
        closed = word.rest() != Rest.KEEP || !claim.hasLeft();
        saying.stream().forEach(i -> fates.set(i, SAID));
    }
}

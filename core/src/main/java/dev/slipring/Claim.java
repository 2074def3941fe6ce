// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Store;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Backoff;
import dev.slipring.graph.Mode;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.watch.Watcher;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Messages that one worker has in hand until its lease runs out. What it reports about them ({@code
 * done}, {@code fail}, {@code extend}, {@code giveBack}) is taken or refused as a whole. Closing
 * gives back what is left. Thread-safe.
 *
 * <p>A report throws {@link Fenced} if the lease had run out or the claim was handed on, {@link
 * NotInHand} if it is about a message of another claim or one that is settled already, {@link
 * NoSuchRing} or {@link NoSuchStage} if its ring or stage is gone. After {@link StoreFailed} or
 * {@link OutcomeUnknown} repeat it: it is applied at most once. If the first one was applied after
 * all and ended the claim, the second may throw {@link Fenced}. If an open transaction has reported
 * on the claim ({@link Joined}), a report waits for its end, for ten seconds at most.
 */
public final class Claim implements AutoCloseable {

    private final Claiming stage;
    private final String ring;
    private final Store store;
    private final Wake wake;
    private final Watcher watcher;
    private final Claimed claimed;
    private final List<Delivery> deliveries;
    private final Remaining remaining;

    /** Held by the thread that speaks of the claim, which may have to wait for the store. */
    private final ReentrantLock speech = new ReentrantLock();

    /** Words about messages during which the store failed: it may have taken them. */
    private final Set<Word> unsure = new HashSet<>();

    private final Elsewhere elsewhere = new Elsewhere();
    private volatile Fenced lost;

    Claim(Claiming stage, String ring, Store store, Wake wake, Watcher watcher, Claimed claimed) {
        this.stage = stage;
        this.ring = ring;
        this.store = store;
        this.wake = wake;
        this.watcher = watcher;
        this.claimed = claimed;
        this.deliveries = List.copyOf(claimed.deliveries());
        this.remaining = new Remaining(deliveries);
    }

    /** The messages, in their order. */
    public List<Delivery> deliveries() {
        return deliveries;
    }

    /** Whether nothing was there to claim. */
    public boolean isEmpty() {
        return claimed.isEmpty();
    }

    /** Why there was nothing to claim, in words; empty if there was something. */
    public String reason() {
        return claimed.reason();
    }

    /** The lane of all its messages; an empty claim has none, {@link IllegalStateException}. */
    public int lane() {
        if (isEmpty()) {
            throw new IllegalStateException("an empty claim has no lane: " + reason());
        }
        return ticket().lane();
    }

    /**
     * How long the lease lasted when this was claimed, zero if nothing was; {@link #extend} goes by
     * the stage.
     */
    public Duration lease() {
        return Duration.ofMillis(claimed.leaseMillis());
    }

    /** The messages on which nothing was reported here; reports of transactions do not count. */
    public List<Delivery> left() {
        return remaining.list();
    }

    /** Whether there are messages that nothing was said about. */
    boolean hasLeft() {
        return remaining.count() > 0;
    }

    /** Does something while nobody else speaks of this claim here. */
    <T> T locked(Supplier<T> what) {
        speech.lock();
        try {
            return what.get();
        } finally {
            speech.unlock();
        }
    }

    /** Does something without a result while nobody else speaks of this claim here. */
    void locked(Runnable what) {
        locked(
                () -> {
                    what.run();
                    return null;
                });
    }

    /** Reports all that is left as done. */
    public void done() {
        sayRest(Rest.DONE);
    }

    /**
     * Reports a message as done.
     *
     * @throws IllegalArgumentException in an ordered stage, if one before it is neither done nor
     *     failed
     */
    public void done(Delivery delivery) {
        settle(Word.done(own(delivery)));
    }

    /**
     * Reports a message as failed; it is tried again after the stage's back-off, or is dead. In an
     * ordered stage this ends the claim: the messages behind it have to wait for it, and are given
     * back.
     */
    public void fail(Delivery delivery, String error) {
        settle(Word.failed(new Failed(own(delivery).position(), error)));
    }

    /**
     * Reports a message as failed; it is tried again after a time, or is dead.
     *
     * @param retryIn 0 to 36525 days
     */
    public void fail(Delivery delivery, String error, Duration retryIn) {
        if (retryIn.isNegative() || retryIn.compareTo(Backoff.LONGEST) > 0) {
            throw new IllegalArgumentException("a retry in " + retryIn + "; use 0 to 36525 days");
        }
        settle(Word.failed(new Failed(own(delivery).position(), error, retryIn.toMillis())));
    }

    /** Starts the lease again, from now. */
    public void extend() {
        sayRest(Rest.EXTEND);
    }

    /**
     * Like {@link #extend}, but does nothing while somebody else speaks of the claim: another
     * thread here, or a transaction that is still open.
     *
     * @return false if it did nothing for that reason
     */
    boolean tryExtend() {
        if (!speech.tryLock()) {
            return false;
        }
        try {
            Settlement word = Word.rest(Rest.EXTEND).about(ticket());
            return lost == null && !hasLeft()
                    || fenced(() -> store.trySettle(ring, word)).isPresent();
        } finally {
            speech.unlock();
        }
    }

    private void sayRest(Rest rest) {
        locked(
                () -> {
                    if (lost != null || hasLeft()) {
                        settle(Word.rest(rest));
                    }
                });
    }

    /** Gives back what is left, at once and without counting as an attempt. */
    public void giveBack() {
        sayRest(Rest.GIVE_BACK);
    }

    /**
     * Gives back what is left, if this worker still has the claim. If a transaction of yours has
     * reported on the claim, commit before you close: this waits a quarter of a second for the end
     * of the transaction, and then leaves the rest until the lease has run out.
     */
    @Override
    public void close() {
        try {
            if (elsewhere.spoke()) {
                locked(this::tryGiveBack);
            } else {
                giveBack();
            }
        } catch (Fenced | NoSuchRing | NoSuchStage e) {
            // It is in another hand already, or nowhere any more, which is as good.
        }
    }

    /**
     * Gives back what is left, but waits only a moment for others who speak of the claim, or of its
     * lane.
     */
    private void tryGiveBack() {
        Settlement word = Word.rest(Rest.GIVE_BACK).about(ticket());
        if (hasLeft()
                && Tries.briefly(() -> fenced(() -> store.trySettle(ring, word))).isPresent()) {
            remaining.clear();
            wake.raise(false);
        }
    }

    /** If nothing was there to claim: in how many milliseconds the clock alone may bring some. */
    long nextMillis() {
        return claimed.nextMillis();
    }

    /** Whether it is known to be in this hand no more. */
    boolean isLost() {
        return lost != null;
    }

    /** Whether it was claimed through this object. */
    boolean isOf(Ring other) {
        return stage.isOf(other);
    }

    /** Its stage's mode when it was handed out; null if nothing was. */
    Mode mode() {
        return claimed.mode();
    }

    /** The name of its ring. */
    String ring() {
        return ring;
    }

    Ticket ticket() {
        return claimed.ticket();
    }

    /**
     * Checks that a message is one of this claim's; other claims have other messages at its
     * position.
     */
    Delivery own(Delivery delivery) {
        if (isEmpty() || !remaining.isOfClaim(delivery)) {
            throw new NotInHand("message " + delivery.id() + " is not in this claim");
        }
        return delivery;
    }

    /** A caller's transaction speaks for this claim; whether it commits is not known here. */
    void speakElsewhere(Word word, Runnable say) {
        elsewhere.speak(word);
        try {
            say.run();
        } catch (Fenced e) {
            watcher.fenced(ticket().stage());
            throw e;
        }
    }

    Elsewhere elsewhere() {
        return elsewhere;
    }

    /**
     * Reports all that is left as done, and claims the stage's next messages, in one transaction;
     * in two if a transaction of yours has reported on this claim ({@link Joined}).
     *
     * @param max how many at most, 1 or more
     * @param wait how long to wait for the first if there is none
     * @return the next claim, or an empty one
     * @throws Fenced if this claim was lost; then nothing is claimed
     */
    public Claim doneAndNext(int max, Duration wait) {
        return stage.next(this, Word.rest(Rest.DONE), max, wait);
    }

    /** Says several things at once. */
    void settle(Word word) {
        locked(() -> settleLocked(word));
    }

    private void settleLocked(Word word) {
        if (word.names() && lost == null && !hasLeft()) {
            throw NotInHand.nothingLeft();
        }
        try {
            say(word, this::take, () -> word.isOwnNews(this));
            unsure.remove(word);
        } catch (Fenced e) {
            throw e;
        } catch (SlipringException e) {
            if (word.names()) {
                unsure.add(word);
            }
            throw e;
        } catch (NotInHand e) {
            if (!unsure.remove(word)) {
                throw e;
            }
            // Only this claim can settle its messages: if they are settled, the store took the word
            // the first time.
            remaining.strike(word);
            wake.raise(false);
        }
    }

    /**
     * Has the store take a word. If a transaction that spoke of this claim is in the way, the word
     * is refused after a while, as the transaction may be this thread's own.
     */
    private Settled take(Settlement word) {
        if (!elsewhere.spoke()) {
            return store.settle(ring, word);
        }
        return Tries.behindOwnTransaction(() -> store.trySettle(ring, word));
    }

    /** Says something if anything is left to speak of. */
    void settleIfLeft(Word word) {
        locked(
                () -> {
                    if (hasLeft()) {
                        settle(word);
                    }
                });
    }

    /**
     * Says something by a call of the store, and learns what became of it.
     *
     * @param own whether the word is no news to the workers who wait together with this one
     */
    void say(Word word, Function<Settlement, Settled> call, BooleanSupplier own) {
        locked(() -> sayLocked(word, call, own));
    }

    private void sayLocked(Word word, Function<Settlement, Settled> call, BooleanSupplier own) {
        long start = System.nanoTime();
        Settled settled = fenced(() -> call.apply(word.about(ticket())));
        long took = System.nanoTime() - start;
        int before = remaining.count();
        if (settled.left() == 0) {
            remaining.clear();
        } else {
            remaining.strike(word);
        }
        int failed = word.failed().size();
        int finished = word.rest() == Rest.DONE ? before - failed : word.done().size();
        if (finished > 0 || failed > 0) {
            watcher.settled(ticket().stage(), finished, failed, settled.dead(), took);
        }
        if (word.rest() != Rest.EXTEND) {
            wake.raise(own.getAsBoolean());
        }
    }

    /** Calls the store, and remembers if the claim is lost. */
    private <T> T fenced(Supplier<T> call) {
        if (lost != null) {
            throw new Fenced(lost.getMessage());
        }
        try {
            return call.get();
        } catch (Fenced e) {
            remaining.clear();
            lost = e;
            if (!elsewhere.spoke()) {
                // Else that transaction may have said that it is done, which is no loss.
                watcher.fenced(ticket().stage());
            }
            throw e;
        }
    }
}

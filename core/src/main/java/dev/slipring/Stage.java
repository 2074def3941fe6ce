// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Store;
import dev.slipring.graph.Names;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;
import dev.slipring.watch.Watcher;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A named group of workers that must see every message once: claim here, or have handlers called.
 * Calls that ask the store throw {@link NoSuchStage} once the stage was removed, {@link NoSuchRing}
 * once its ring was dropped, and {@link StoreFailed} if the store fails. Thread-safe.
 */
public final class Stage {

    private final Ring ring;
    private final StageSpec spec;
    private final Store store;
    private final Wake wake;
    private final Watcher watcher;
    private final String worker;

    Stage(Ring ring, StageSpec spec, Store store, Wake wake, Watcher watcher, String worker) {
        this.ring = ring;
        this.spec = spec;
        this.store = store;
        this.wake = wake;
        this.watcher = watcher;
        this.worker = worker;
    }

    /** The stage's name. */
    public String name() {
        return spec.name();
    }

    /** What the stage was declared to be when this was asked for, {@link Ring#stage(String)}. */
    public StageSpec spec() {
        return spec;
    }

    /**
     * The stage under another name for its worker, as {@code info} and dead letters show it.
     *
     * @param name 1 to 200 characters of text
     */
    public Stage worker(String name) {
        return new Stage(ring, spec, store, wake, watcher, Names.checkWorker(name));
    }

    /**
     * Claims messages of one lane, in their order; waits for the first if there is none.
     *
     * <p>Lanes that others have locked are looked at again for up to a quarter of a second,
     * whatever the wait. So an empty claim means that there was nothing for this worker, except in
     * lanes that a transaction keeps for longer than that. A SQLite file is locked as a whole; a
     * claim waits for it as long as its URL says ({@code busy}).
     *
     * <p>If more than 16 threads claim with a wait, only 16 look at a time. Each of the others
     * looks when one of those has ended, or once its own time is over, which takes a little longer
     * if hundreds do so together.
     *
     * @param max how many at most, 1 or more
     * @param wait how long to wait; zero or less for not at all
     * @return the claim, or an empty one; an empty one also if the thread is interrupted, which it
     *     then still is: a loop of claims has to check that
     * @throws IllegalArgumentException if {@code max} is less than 1
     * @throws StoreUnreachable if the store cannot be reached at the moment
     * @throws OutcomeUnknown if the store may have handed something out: that comes again when its
     *     lease runs out
     */
    public Claim claim(int max, Duration wait) {
        Span span = new Span(wait);
        return wake.line().inFront(span.left(), () -> look(max, span.rest()));
    }

    private Claim look(int max, Span span) {
        while (true) {
            long seen = wake.changes();
            Claimed claimed = claim(new ClaimRequest(name(), max, worker));
            if (!goesOn(claimed, Lookout.of(seen, claimed.nextMillis()), span)) {
                return asClaim(claimed);
            }
        }
    }

    /** Waits until it is time to claim again; false if there is something, or time is over. */
    private boolean goesOn(Claimed claimed, Lookout known, Span span) {
        return claimed.isEmpty() && !span.isOver(claimed) && span.sleep(wake, known);
    }

    /**
     * Says something about a claim and claims the next in one transaction; waits if there is none.
     */
    Claim next(Claim last, Word word, int max, Duration wait) {
        if (!last.hasLeft() && !last.isLost()) {
            return claim(max, wait);
        }
        Span span = new Span(wait);
        // The word itself raises the signal once, which must not count as news here.
        long seen = wake.changes() + 1;
        Claimed next = sayAndClaim(last, word, max, claimed -> false);
        if (!next.isEmpty() || span.isOver(next)) {
            return asClaim(next);
        }
        Lookout known = Lookout.of(seen, next.nextMillis());
        return wake.line().inFront(span.left(), () -> lookAgain(next, known, max, span.rest()));
    }

    private Claim lookAgain(Claimed nothing, Lookout known, int max, Span span) {
        return wake.changes() == known.seen() && !goesOn(nothing, known, span)
                ? asClaim(nothing)
                : look(max, span);
    }

    private Claimed sayAndClaim(Claim last, Word word, int max, Predicate<Claimed> own) {
        if (last.elsewhere().spoke()) {
            ClaimRequest alone = new ClaimRequest(name(), max, worker);
            // By itself, as it gives up if the transaction stays open, which may be this thread's.
            last.settle(word);
            return claim(alone);
        }
        Claimed[] next = new Claimed[1];
        last.say(
                word,
                settlement -> {
                    next[0] = claim(new ClaimRequest(name(), max, worker, settlement));
                    return next[0].before();
                },
                () -> own.test(next[0]));
        return next[0];
    }

    /** The stage for workers of whom one waits for all. */
    Stage together() {
        return new Stage(ring, spec, store, wake.together(), watcher, worker);
    }

    /** Whether nothing more can be claimed here, as its ring is closed. */
    boolean isClosed() {
        return ring.isClosed();
    }

    boolean isOf(Ring other) {
        return ring == other;
    }

    /** Refuses a listener that hears of a push to the ring here. */
    void refuseListener(String what) {
        ring.refuseListener(what);
    }

    /** How often there was news. */
    long changes() {
        return wake.changes();
    }

    /** Claims messages if there are some now. */
    Claim claimNow(int max) {
        return asClaim(claim(new ClaimRequest(name(), max, worker)));
    }

    /**
     * Says something about a claim and claims the next, in one transaction, if there is something
     * now. If there is nothing, the workers who wait together with the caller do not take the word
     * for news.
     */
    Claim nextNow(Claim last, Word word, int max) {
        boolean done = word.failed().isEmpty() && word.rest() == Rest.DONE;
        return asClaim(
                sayAndClaim(
                        last, word, max, next -> done && next.isEmpty() || word.isOwnNews(last)));
    }

    private Claim asClaim(Claimed claimed) {
        return new Claim(this, ring.name(), store, wake, watcher, claimed);
    }

    /** Waits for news or the time; returns false if the thread is interrupted. */
    boolean sleep(Lookout lookout) {
        return lookout.left() <= 0 || wake.await(lookout.seen(), lookout.left());
    }

    private Claimed claim(ClaimRequest request) {
        if (request.before() == null) {
            // A word is taken as long as the store is open.
            ring.checkOpen();
        }
        long start = System.nanoTime();
        Claimed claimed = store.claim(ring.name(), request).read();
        if (!claimed.isEmpty()) {
            watcher.claimed(name(), claimed.deliveries(), start);
        }
        return claimed;
    }

    void wakeAll() {
        wake.raise(false);
    }

    /**
     * Calls a handler for every message, on threads made here, until closed. A message is done when
     * the handler returns, and has failed when it throws: then it is tried again after the stage's
     * back-off, or is dead. Leases are extended meanwhile. In an ordered stage the messages of a
     * lane are handled one after the other. The threads are daemons.
     *
     * @param threads how many handle messages at a time, 1 to 10,000
     */
    public Workers work(int threads, Handler handler) {
        return work(WorkOptions.threads(threads), handler);
    }

    /** Calls a handler for every message until closed, with the options. */
    public Workers work(WorkOptions how, Handler handler) {
        return new Crews(together(), ring.name(), watcher, how).each(handler);
    }

    /**
     * Calls a handler for every claim until closed; {@link BatchHandler} says what becomes of its
     * messages.
     */
    public Workers workBatches(WorkOptions how, BatchHandler handler) {
        return new Crews(together(), ring.name(), watcher, how).whole(handler);
    }

    /** The same for the values of messages. */
    <T> Workers workBatches(WorkOptions how, Codec<T> codec, Typed.BatchHandler<T> handler) {
        return new Crews(together(), ring.name(), watcher, how).values(codec, handler);
    }

    /**
     * Calls a handler on this thread until nothing can be claimed now; for tests.
     *
     * @return how many messages it was called for
     */
    public long drain(Handler handler) {
        EachMessage each = new EachMessage(this, watcher, Interrupts.keep(handler));
        long handled = 0;
        while (true) {
            Claim claim = claim(100, Duration.ZERO);
            if (claim.isEmpty()) {
                return handled;
            }
            Word word = each.handle(claim, () -> false);
            handled +=
                    word.rest() == Rest.DONE
                            ? claim.deliveries().size()
                            : word.done().size() + word.failed().size();
            claim.settleIfLeft(word);
        }
    }

    /**
     * Hands out no more messages, in any process; what is in hand may be finished.
     *
     * @throws NoSuchStage if it was removed
     */
    public void pause() {
        ring.change(new Change.Pause(name(), true));
    }

    /**
     * Hands out messages again.
     *
     * @throws NoSuchStage if it was removed
     */
    public void resume() {
        ring.change(new Change.Pause(name(), false));
    }

    /**
     * Gives the stage another lease, number of tries, back-off or limit of what it keeps; its mode
     * and its position stay. Workers in every process use the new settings from their next claim
     * on. A claim in hand keeps its lease until it is extended, and then has the new one: if that
     * is less than a third of the old one, the claim may run out once and its messages come again.
     * A message that has failed as often as is allowed now is dead once its retry is due.
     *
     * <p>All settings are written, also those that somebody else has changed since {@link #spec()}
     * was asked for. A program that starts with {@link Slipring#create} must declare the stage as
     * it is now, or start with {@link Slipring#createIfMissing}.
     *
     * @param changed what it is to be, from {@link #spec()}
     * @return the stage as it is now
     * @throws IllegalArgumentException if that is of another name or mode
     * @throws NoSuchStage if it was removed
     */
    public Stage redeclare(StageSpec changed) {
        if (!changed.name().equals(name())) {
            throw new IllegalArgumentException(
                    "stage '" + name() + "' cannot become '" + changed.name() + "'");
        }
        ring.change(new Change.RedeclareStage(changed));
        return new Stage(ring, changed, store, wake, watcher, worker);
    }

    /**
     * Goes back to see again what the ring still holds; returns how many messages that is.
     *
     * @throws IllegalArgumentException if the start is the newest message
     * @throws NoSuchStage if it was removed
     */
    public long rewind(Start start) {
        Objects.requireNonNull(start, "start");
        return ring.change(new Change.Rewind(name(), start));
    }

    /**
     * Removes the stage; returns how many messages set aside or dead went with it.
     *
     * @throws IllegalArgumentException if it is the only one
     * @throws NoSuchStage if it was removed
     */
    public long remove() {
        return ring.change(new Change.RemoveStage(name()));
    }

    /**
     * The first dead letters, in the order of their lanes; fewer than asked for if they are large,
     * so that they fit in memory. Empty only if there is none.
     *
     * @param limit how many at most, 1 or more
     */
    public List<DeadLetter> deadLetters(int limit) {
        return deadLettersBehind(null, limit);
    }

    /**
     * The next dead letters.
     *
     * @param id the last one before, {@link DeadLetter#id}; null from the first
     * @param limit how many at most, 1 or more
     * @throws IllegalArgumentException if that is no id, or the limit is less than 1
     */
    public List<DeadLetter> deadLettersBehind(String id, int limit) {
        ring.requireThere();
        if (limit < 1) {
            throw new IllegalArgumentException(
                    "a list of at most " + limit + " dead letters; ask for 1 or more");
        }
        return store.deadLetters(ring.name(), name(), id, limit);
    }

    /**
     * Hands dead letters out again; their attempts are counted from one.
     *
     * @param ids which, {@link DeadLetter#id}; those that are dead no more are left out
     * @return how many
     * @throws IllegalArgumentException if one is no id
     */
    public long retryDead(Collection<String> ids) {
        return ids.isEmpty() ? 0 : ring.change(new Change.RetryDead(name(), List.copyOf(ids)));
    }

    /** Hands all dead letters out again, their attempts counted from one; returns how many. */
    public long retryAllDead() {
        return ring.change(new Change.RetryDead(name(), List.of()));
    }

    /**
     * Forgets dead letters.
     *
     * @param ids which, {@link DeadLetter#id}; those that are dead no more are left out
     * @return how many
     * @throws IllegalArgumentException if one is no id
     */
    public long dropDead(Collection<String> ids) {
        return ids.isEmpty() ? 0 : ring.change(new Change.DropDead(name(), List.copyOf(ids)));
    }

    /** Forgets all dead letters; returns how many. */
    public long dropAllDead() {
        return ring.change(new Change.DropDead(name(), List.of()));
    }
}

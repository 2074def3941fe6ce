// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Store;
import dev.slipring.graph.StageSpec;
import dev.slipring.watch.Watcher;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * How messages of a stage are claimed, by whoever asks its {@link Stage} and by its workers.
 * Thread-safe.
 */
final class Claiming {

    private final Ring ring;
    private final StageSpec spec;
    private final Store store;
    private final Wake wake;
    private final Watcher watcher;
    private final String worker;

    Claiming(Ring ring, StageSpec spec, Store store, Wake wake, Watcher watcher, String worker) {
        this.ring = ring;
        this.spec = spec;
        this.store = store;
        this.wake = wake;
        this.watcher = watcher;
        this.worker = worker;
    }

    String name() {
        return spec.name();
    }

    StageSpec spec() {
        return spec;
    }

    /** The name of its ring. */
    String ring() {
        return ring.name();
    }

    /** Who is told what happens to its messages. */
    Watcher watcher() {
        return watcher;
    }

    /** The same under another name for the worker. */
    Claiming by(String other) {
        return new Claiming(ring, spec, store, wake, watcher, other);
    }

    /** The same for the stage as it is declared now. */
    Claiming of(StageSpec changed) {
        return new Claiming(ring, changed, store, wake, watcher, worker);
    }

    /** The crews of workers that call a handler, of whom one waits for all. */
    Crews crews(WorkOptions how) {
        return new Crews(together(), how);
    }

    /** What calls a handler for each message of a claim. */
    EachMessage each(Handler handler) {
        return new EachMessage(this, Interrupts.keep(handler));
    }

    /** Claims messages, as {@link Stage#claim} says. */
    Claim claim(int max, Duration wait) {
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
        Span span = new Span(wait);
        // The word itself raises the signal once, which must not count as news here.
        long seen = wake.changes() + 1;
        // Another thread may just be saying the last word on it.
        Claimed next = last.locked(() -> isSaid(last) ? null : sayAndClaim(last, word, max));
        if (next == null) {
            return claim(max, wait);
        }
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

    private static boolean isSaid(Claim claim) {
        return !claim.hasLeft() && !claim.isLost();
    }

    private Claimed sayAndClaim(Claim last, Word word, int max) {
        return sayAndClaim(last, word, max, claimed -> false);
    }

    /** The claim is told behind the word, which came first. */
    private Claimed sayAndClaim(Claim last, Word word, int max, Predicate<Claimed> own) {
        if (last.elsewhere().spoke()) {
            ClaimRequest alone = new ClaimRequest(name(), max, worker);
            // By itself, as it gives up if the transaction stays open, which may be this thread's.
            last.settle(word);
            return claim(alone);
        }
        Claimed[] next = new Claimed[1];
        long[] took = new long[1];
        last.say(
                word,
                settlement -> {
                    long start = System.nanoTime();
                    next[0] = ask(new ClaimRequest(name(), max, worker, settlement));
                    took[0] = System.nanoTime() - start;
                    return next[0].before();
                },
                () -> own.test(next[0]));
        tell(next[0], took[0]);
        return next[0];
    }

    private Claiming together() {
        return new Claiming(ring, spec, store, wake.together(), watcher, worker);
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

    private Claimed claim(ClaimRequest alone) {
        // Not asked where a word comes with it, which is taken as long as the store is open.
        ring.checkOpen();
        long start = System.nanoTime();
        Claimed claimed = ask(alone);
        tell(claimed, System.nanoTime() - start);
        return claimed;
    }

    private Claimed ask(ClaimRequest request) {
        return store.claim(ring.name(), request).read();
    }

    private void tell(Claimed claimed, long tookNanos) {
        if (!claimed.isEmpty()) {
            watcher.claimed(name(), claimed.deliveries(), tookNanos);
        }
    }

    void wakeAll() {
        wake.raise(false);
    }
}

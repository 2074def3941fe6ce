// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Burial;
import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.DeadRequest;
import dev.slipring.engine.DeadRequest.Action;
import dev.slipring.engine.Start;
import dev.slipring.engine.Store;
import dev.slipring.graph.StageSpec;
import dev.slipring.watch.Watcher;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A named group of workers that must see every message once: claim here, or have handlers called.
 * Thread-safe.
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

    /** What the stage is declared to be. */
    public StageSpec spec() {
        return spec;
    }

    /** The stage under another name for its worker, for people who look. */
    public Stage worker(String name) {
        return new Stage(ring, spec, store, wake, watcher, name);
    }

    /**
     * Claims messages, in the order of their lane; waits for the first if there is none.
     *
     * @param max how many at most, 1 or more
     * @param wait how long to wait; zero for not at all
     * @return the claim, or an empty one
     */
    public Claim claim(int max, Duration wait) {
        return claim(max, wait, () -> false);
    }

    /** Claims messages; waits for the first if there is none, unless the waiting is to end. */
    Claim claim(int max, Duration wait, BooleanSupplier ending) {
        long deadline = System.nanoTime() + wait.toNanos();
        long seen = wake.signal().changes();
        return await(claim(new ClaimRequest(name(), max, worker)), seen, max, deadline, ending);
    }

    /** Says something about a claim and claims the next, in one transaction; then waits. */
    Claim next(Claim last, Word word, int max, Duration wait, BooleanSupplier ending) {
        if (last.left().isEmpty()) {
            return claim(max, wait, ending);
        }
        long deadline = System.nanoTime() + wait.toNanos();
        long seen = wake.signal().changes();
        Claimed[] next = new Claimed[1];
        last.say(
                word,
                settlement -> {
                    next[0] = claim(new ClaimRequest(name(), max, worker, settlement));
                    return next[0].before();
                });
        // The word itself has raised the signal once, which is no news to its own claim.
        return await(next[0], seen + 1, max, deadline, ending);
    }

    /** Claims again after every change, until there is something or the waiting ends. */
    private Claim await(
            Claimed first, long changes, int max, long deadline, BooleanSupplier ending) {
        Claimed claimed = first;
        long seen = changes;
        while (true) {
            long left = deadline - System.nanoTime();
            boolean over = !claimed.isEmpty() || left <= 0 || ending.getAsBoolean();
            if (over || !sleep(seen, left, claimed.nextMillis())) {
                return new Claim(this, ring.name(), store, wake.signal(), watcher, claimed);
            }
            seen = wake.signal().changes();
            claimed = claim(new ClaimRequest(name(), max, worker));
        }
    }

    private Claimed claim(ClaimRequest request) {
        long start = System.nanoTime();
        Claimed claimed = store.claim(ring.name(), request);
        if (!claimed.isEmpty()) {
            tell(claimed, start);
        }
        return claimed;
    }

    private void tell(Claimed claimed, long start) {
        long again =
                claimed.deliveries().stream().filter(delivery -> delivery.attempt() > 1).count();
        watcher.claimed(name(), claimed.deliveries().size(), (int) again, start);
    }

    /** Waits for a change; returns false if the thread is interrupted. */
    private boolean sleep(long seen, long left, long nextMillis) {
        wake.ear().open();
        try {
            wake.signal().await(seen, Math.min(left, TimeUnit.MILLISECONDS.toNanos(nextMillis)));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void wakeAll() {
        wake.signal().raise();
    }

    /** Calls a handler for every message, on threads made here, until closed. */
    public Workers work(int threads, Handler handler) {
        return work(WorkOptions.threads(threads), handler);
    }

    /** Calls a handler for every message until closed. */
    public Workers work(WorkOptions how, Handler handler) {
        return new Workers(
                this, how, new EachMessage(this, watcher, handler), ring.name(), watcher);
    }

    /** Calls a handler for every claim until closed. */
    public Workers workBatches(WorkOptions how, BatchHandler handler) {
        return new Workers(this, how, new WholeClaim(this, watcher, handler), ring.name(), watcher);
    }

    /**
     * Calls a handler on this thread until nothing can be claimed now; for tests.
     *
     * @return how many messages it was called for
     */
    public long drain(Handler handler) {
        EachMessage each = new EachMessage(this, watcher, handler);
        long handled = 0;
        while (true) {
            Claim claim = claim(100, Duration.ZERO);
            if (claim.isEmpty()) {
                return handled;
            }
            handled += claim.deliveries().size();
            claim.settleRest(each.handle(claim, () -> false));
        }
    }

    /** Hands out nothing more, on any process; what is in hand may be finished. */
    public void pause() {
        ring.change(new Change.Pause(name(), true));
    }

    /** Hands out again. */
    public void resume() {
        ring.change(new Change.Pause(name(), false));
    }

    /** Goes back to see again what the ring still holds; returns how many messages that is. */
    public long rewind(Start start) {
        return ring.change(new Change.Rewind(name(), start));
    }

    /** Removes the stage; returns how many messages set aside or dead went with it. */
    public long remove() {
        return ring.change(new Change.RemoveStage(name()));
    }

    /** The dead letters, in the order of their lanes. */
    public List<DeadLetter> deadLetters(int limit) {
        return dead(Action.LIST, List.of(), limit).letters();
    }

    /**
     * Hands dead letters out again, with all their attempts; all of them if none is named. Returns
     * how many.
     */
    public long retryDead(String... ids) {
        return dead(Action.RETRY, List.of(ids), Integer.MAX_VALUE).touched();
    }

    /** Forgets dead letters; all of them if none is named. Returns how many. */
    public long dropDead(String... ids) {
        return dead(Action.DROP, List.of(ids), Integer.MAX_VALUE).touched();
    }

    private Burial dead(Action action, List<String> ids, int limit) {
        Burial burial = store.dead(ring.name(), new DeadRequest(action, name(), ids, limit));
        wakeAll();
        return burial;
    }
}

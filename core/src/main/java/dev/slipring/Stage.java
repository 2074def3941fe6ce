// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Change;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Store;
import dev.slipring.graph.Names;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * A named group of workers that must see every message once: claim here, or have handlers called.
 * Calls that ask the store throw {@link NoSuchStage} once the stage was removed, {@link NoSuchRing}
 * once its ring was dropped, and {@link StoreFailed} if the store fails. Thread-safe.
 */
public final class Stage {

    private final Ring ring;
    private final Store store;
    private final Claiming claiming;

    Stage(Ring ring, Store store, Claiming claiming) {
        this.ring = ring;
        this.store = store;
        this.claiming = claiming;
    }

    /** The stage's name. */
    public String name() {
        return claiming.name();
    }

    /** What the stage was declared to be when this was asked for, {@link Ring#stage(String)}. */
    public StageSpec spec() {
        return claiming.spec();
    }

    /**
     * The stage under another name for its worker, as {@code info} and dead letters show it.
     *
     * @param name 1 to 200 characters of text
     */
    public Stage worker(String name) {
        return new Stage(ring, store, claiming.by(Names.checkWorker(name)));
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
        return claiming.claim(max, wait);
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
        return claiming.crews(how).each(handler);
    }

    /**
     * Calls a handler for every claim until closed; {@link BatchHandler} says what becomes of its
     * messages.
     */
    public Workers workBatches(WorkOptions how, BatchHandler handler) {
        return claiming.crews(how).whole(handler);
    }

    /** The same for the values of messages. */
    <T> Workers workBatches(WorkOptions how, Codec<T> codec, Typed.BatchHandler<T> handler) {
        return claiming.crews(how).values(codec, handler);
    }

    /**
     * Calls a handler on this thread until nothing can be claimed now; for tests. It claims up to
     * 100 messages at a time, and does not extend leases as {@link #work} does.
     *
     * @return how many messages it was called for
     * @throws Fenced if the lease of a claim ran out before its messages were handled
     */
    public long drain(Handler handler) {
        EachMessage each = claiming.each(handler);
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
        return new Stage(ring, store, claiming.of(changed));
    }

    /**
     * Goes back to see again what the ring still holds; returns how many messages that is. Those
     * that are set aside or dead, here or in a stage before, still wait, and do not count.
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
     * Hands dead letters out again, their attempts counted from one, a thousand at a time: if it
     * fails, some are handed out, and a repetition goes on with the others.
     *
     * @param ids which, {@link DeadLetter#id}; those that are dead no more are left out
     * @return how many
     * @throws IllegalArgumentException if one is no id
     */
    public long retryDead(Collection<String> ids) {
        return ids.isEmpty() ? 0 : ring.change(new Change.RetryDead(name(), List.copyOf(ids)));
    }

    /**
     * Hands all dead letters out again, their attempts counted from one, a thousand at a time: if
     * it fails, some are handed out, and a repetition goes on with the others. Returns how many.
     */
    public long retryAllDead() {
        return ring.change(new Change.RetryDead(name(), List.of()));
    }

    /**
     * Forgets dead letters, a thousand at a time: if it fails, some are forgotten, and a repetition
     * goes on with the others.
     *
     * @param ids which, {@link DeadLetter#id}; those that are dead no more are left out
     * @return how many
     * @throws IllegalArgumentException if one is no id
     */
    public long dropDead(Collection<String> ids) {
        return ids.isEmpty() ? 0 : ring.change(new Change.DropDead(name(), List.copyOf(ids)));
    }

    /**
     * Forgets all dead letters, a thousand at a time: if it fails, some are forgotten, and a
     * repetition goes on with the others. Returns how many.
     */
    public long dropAllDead() {
        return ring.change(new Change.DropDead(name(), List.of()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.DeadLetter;
import dev.slipring.Schema;
import dev.slipring.Survey;
import dev.slipring.graph.Shape;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An open store of rings. Every method may be called by any thread, is one transaction, and throws
 * {@link dev.slipring.NoSuchRing} for a ring that is not there, {@link dev.slipring.StoreFailed} if
 * the store did not do it, and {@link dev.slipring.OutcomeUnknown} if it may have. Time is the
 * store's own.
 */
public interface Store extends AutoCloseable {

    /** What this store can do. */
    Set<Capability> capabilities();

    /** The state of the store's schema, and what would upgrade it. */
    Schema schema();

    /** The names of the rings, sorted. */
    List<String> rings();

    /** The ring's shape; empty if there is no such ring. */
    Optional<Shape> shape(String ring);

    /** Makes or changes a ring; returns how many messages, stages or rings it touched. */
    long change(String ring, Change change);

    /**
     * Appends slots, all or none, and returns when they are durable.
     *
     * @throws dev.slipring.RingFull if they do not all fit
     * @throws dev.slipring.OutcomeUnknown if they may be stored: ask {@link #pushed}
     */
    void push(String ring, List<Slot> slots);

    /**
     * Like {@link #push}, but waits only a limited time for transactions of others that keep a lane
     * of the ring, or the whole store.
     *
     * @param patience about how long; a store may be coarser
     * @return the lanes that others keep, if nothing was pushed because of them; none if the slots
     *     are durable. A store with {@link Capability#LANES} does not wait longer than it is told
     */
    default Set<Integer> tryPush(String ring, List<Slot> slots, Duration patience) {
        push(ring, slots);
        return Set.of();
    }

    /** The greatest number that this producer has durably pushed; 0 if none. */
    long pushed(String ring, long producer);

    /**
     * Hands out messages of a stage: first claims whose lease ran out and retries that are due,
     * those that have waited longest before the others; then new messages. If the outcome of a
     * claim is unknown, its messages come again when its lease has run out; if that of a word is
     * unknown, the word can be said again.
     *
     * @throws dev.slipring.Fenced if a word that came with the request came too late; then nothing
     *     is handed out
     */
    Claimed claim(String ring, ClaimRequest request);

    /**
     * Takes a worker's word on a claim.
     *
     * @throws dev.slipring.Fenced if it came too late; nothing of it took effect
     * @throws dev.slipring.NotInHand if it names a message that the claim has not or has no more;
     *     nothing of it took effect
     * @throws IllegalArgumentException if the word is wrong, however often it is said; nothing of
     *     it took effect
     */
    Settled settle(String ring, Settlement settlement);

    /**
     * Like {@link #settle}, but does not wait for a transaction of somebody else that is still open
     * and has settled something of the claim or of its lane. A store that runs one writing
     * transaction at a time does wait; but where the word gives all back it waits for a moment
     * only, as that transaction may be the caller's own.
     *
     * @return empty if such a transaction is in the way; then nothing has happened
     */
    default Optional<Settled> trySettle(String ring, Settlement settlement) {
        return Optional.of(settle(ring, settlement));
    }

    /**
     * The dead letters of a stage, by lane and position; none only at their end.
     *
     * @param behind the one behind which they begin ({@code lane-position}); null from the first
     * @param max how many at most, 1 or more; fewer where their messages are large
     */
    List<DeadLetter> deadLetters(String ring, String stage, String behind, int max);

    /** How the ring stands, and what is broken in it if that is asked for. */
    Survey survey(String ring, boolean verify);

    /**
     * A store whose {@code push} and {@code settle} take part in the caller's transaction: they
     * take effect if and when it commits. Push does not wait.
     */
    Store join(Connection transaction);

    /**
     * Calls back when somebody outside this process may have changed a ring, until closed. Called
     * while somebody waits; may be called for nothing.
     */
    AutoCloseable listen(Runnable changed);

    /**
     * Ends what the store does. May be called again. Later calls of other methods throw {@link
     * dev.slipring.StoreFailed}, which says that the store is closed.
     */
    @Override
    void close();
}

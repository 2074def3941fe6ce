// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.time.Duration;

/**
 * Is told what happens in this process. Called by the thread that did it, after it took effect, so
 * it must be quick: while it thinks about a claim or a report, the lease of that claim may run out.
 * What it throws is logged and changes nothing. Every method does nothing unless overridden.
 *
 * <p>{@code pushed} and {@code full} may be called by the thread that writes for all that push. So
 * they must not push to that ring, drain it, close it or its workers, drop it, or ask for a new
 * ring of its name; this is refused with {@link IllegalStateException}. Nor may they push to
 * another ring whose listener pushes back, as both would then wait for ever.
 *
 * <p>It is not told what is pushed or reported through {@link Ring#join}, except a report that came
 * too late: whether the transaction commits is not known here. So a later report on all that is
 * left of such a claim counts as done what transactions reported before. Nor is it told of messages
 * that are dead because a lease ran out at their last attempt; {@link Ring#info} counts them.
 *
 * <p>Flight Recorder has the same, as the events {@code dev.slipring.Push}, {@code Full}, {@code
 * Claim}, {@code Settle} (also of a report that came too late), {@code Failed} and {@code
 * StoreFailed}. The time of an event is the moment when it took effect; its field {@code took} says
 * how long it took.
 */
public interface Listener {

    /** Hears nothing. */
    Listener NONE = new Listener() {};

    /**
     * Messages became durable in one transaction.
     *
     * @param bytes of the messages, with their keys and headers; what their slots add is not
     *     counted
     * @param took from the beginning of the transaction
     */
    default void pushed(String ring, int messages, long bytes, Duration took) {}

    /** A push found no room in time, and was refused. */
    default void full(String ring, int messages) {}

    /**
     * A worker has claimed messages. A report that came with the claim is told first.
     *
     * @param redelivered how many of them not for the first time
     * @param took the call of the store, without the waiting before it
     */
    default void claimed(String ring, String stage, int messages, int redelivered, Duration took) {}

    /**
     * A worker's report was taken.
     *
     * @param done how many messages it reported as done
     * @param failed how many it reported as failed
     * @param dead how many of those failed for the last time
     * @param took the call of the store, which may have claimed the next messages too
     */
    default void settled(
            String ring, String stage, int done, int failed, int dead, Duration took) {}

    /** A worker's report came too late and was refused. */
    default void fenced(String ring, String stage) {}

    /**
     * A message failed in a handler. What was thrown is also logged, as a warning of the logger
     * {@code dev.slipring.handlers}.
     */
    default void failed(String ring, String stage, Delivery delivery, Throwable error) {}

    /**
     * Something went wrong, but no message failed by it: the store failed in a push or in workers
     * (a claim, a report or another call of yours tells you alone); a push was refused because its
     * lane is kept; workers ended because their stage is gone, was made anew with the other mode,
     * or because their executor interrupts them; a lease was not extended; a handler threw after
     * its last report, or a batch handler after its claim was lost. The caller, if there is one,
     * has got the error too, or the call is tried again.
     *
     * @param error what went wrong, in words; its cause is what was thrown, if anything was
     */
    default void storeFailed(String ring, SlipringException error) {}
}

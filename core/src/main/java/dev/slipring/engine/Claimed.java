// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.Delivery;
import dev.slipring.SlipringException;
import dev.slipring.graph.Mode;

import java.util.List;

/**
 * What a store handed out: messages of one lane under an epoch, or nothing.
 *
 * @param ticket names the claim; null if there is nothing
 * @param mode the stage's when this was handed out; null if there is nothing
 * @param deliveries the messages, in order; empty if there is nothing; may be read from their slots
 *     each time they are looked at
 * @param leaseMillis how long the lease lasts
 * @param nextMillis if there is nothing: in how many milliseconds the clock alone may bring
 *     something ({@link Long#MAX_VALUE} if it will not)
 * @param reason if there is nothing: why, for people
 * @param leftOut if there is nothing: whether somebody else had a lane, which was therefore not
 *     looked at, so that there may be something all the same
 * @param before what became of the word that came with the request; null if there was none
 */
public record Claimed(
        Ticket ticket,
        Mode mode,
        List<Delivery> deliveries,
        long leaseMillis,
        long nextMillis,
        String reason,
        boolean leftOut,
        Settled before) {

    /** Why there is nothing where a stage has nothing to do. */
    public static final String IDLE = "nothing to claim";

    /** When to look again where somebody else has a lane. */
    private static final long LEFT_OUT_MILLIS = 10;

    /** Nothing, why, and when to look again. */
    public static Claimed nothing(String reason, long nextMillis) {
        return new Claimed(null, null, List.of(), 0, nextMillis, reason, false, null);
    }

    /** Nothing in the lanes that nobody else had. */
    public static Claimed leftOut(String reason) {
        return new Claimed(null, null, List.of(), 0, LEFT_OUT_MILLIS, reason, true, null);
    }

    /**
     * Nothing, as the look behind a word has failed; the next one tells what there is. The word was
     * taken, so it must not seem as if it had failed. Without a word the failure is that of the
     * claim.
     *
     * @param said the answer to the word; null if there was none
     */
    public static Claimed unseen(Settled said, SlipringException why) {
        if (said == null) {
            throw why;
        }
        return nothing("the lanes could not be looked at: " + why.getMessage(), 1).behind(said);
    }

    /** Messages under a ticket. */
    public static Claimed of(
            Ticket ticket, Mode mode, List<Delivery> deliveries, long leaseMillis) {
        return new Claimed(ticket, mode, deliveries, leaseMillis, 0, "", false, null);
    }

    /** The same behind a word that was taken. */
    public Claimed behind(Settled settled) {
        return new Claimed(
                ticket, mode, deliveries, leaseMillis, nextMillis, reason, leftOut, settled);
    }

    /** The same with its messages read from their slots. */
    public Claimed read() {
        return new Claimed(
                ticket,
                mode,
                List.copyOf(deliveries),
                leaseMillis,
                nextMillis,
                reason,
                leftOut,
                before);
    }

    /** Whether there is nothing. */
    public boolean isEmpty() {
        return deliveries.isEmpty();
    }

    /** Whether there is nothing since the stage has nothing to do, and nothing holds it up. */
    public boolean isIdle() {
        return isEmpty() && reason.equals(IDLE);
    }
}

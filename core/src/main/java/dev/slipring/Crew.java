// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** The way in which the workers of a stage claim and handle. Thread-safe. */
interface Crew {

    /** Whether what is claimed is handed over to all, message by message. */
    boolean shares();

    /**
     * Claims; waits for the first message if there is none. Called by the worker who has the turn.
     *
     * @return what is in hand now; null if the workers end
     */
    SharedClaim lead();

    /**
     * Handles what stays with the worker who had the turn, after it has passed that on: the first
     * message of the claim, or all.
     */
    void begin(SharedClaim hand);

    /** Handles a message that was handed over. */
    void handle(SharedClaim hand, int index);

    /** Reports what is still to be reported, when all workers have ended. */
    void finish();
}

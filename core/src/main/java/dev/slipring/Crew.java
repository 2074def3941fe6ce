// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** The way in which the workers of a stage claim and handle. Thread-safe. */
interface Crew {

    /** Whether what is claimed is handed over to all, message by message. */
    boolean shares();

    /**
     * Claims, by who has the turn; waits for the first message if there is none.
     *
     * @return what is in hand now; null if the workers end
     */
    SharedClaim lead();

    /** Handles what stays with who had the turn and has given it on: the first message, or all. */
    void begin(SharedClaim hand);

    /** Handles a message that was handed over. */
    void handle(SharedClaim hand, int index);

    /** Says what is still to be said, when all workers have ended. */
    void finish();
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * Handles one message at a time. If its effects and the done are to be one transaction, use a
 * {@link BatchHandler}, which can report its claim as done through {@link Ring#join}.
 */
@FunctionalInterface
public interface Handler {

    /**
     * Handles a message; if it throws, the message has failed. The error is not logged: the {@link
     * Listener} gets it, and a dead letter keeps its text. {@link Workers} extend the lease for as
     * long as this runs. So a handler that never returns keeps its message, and {@link
     * Workers#close} waits for it.
     */
    void handle(Delivery delivery) throws Exception;
}

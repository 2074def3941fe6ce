// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * Handles one message at a time. Where its effects and the done are to be one transaction, take a
 * {@link BatchHandler}, whose claim can be said done through {@link Ring#join}.
 */
@FunctionalInterface
public interface Handler {

    /**
     * Handles a message; if it throws, the message failed. That is not logged: the {@link Listener}
     * gets the error, and a dead letter has its words. The lease is extended for as long as this
     * runs: what never returns keeps its message, and the {@link Workers} that are to be closed.
     */
    void handle(Delivery delivery) throws Exception;
}

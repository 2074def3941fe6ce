// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** Handles a whole claim. */
@FunctionalInterface
public interface BatchHandler {

    /**
     * Handles a claim. What it says nothing about is done when it returns, and has failed when it
     * throws. If it spoke through a transaction ({@link Ring#join}), what is left when it returns
     * is given back, at once and without counting as an attempt: so a handler that rolls back
     * throws, too. What transactions that committed said of messages holds if it throws later.
     */
    void handle(Claim claim) throws Exception;
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** Handles a whole claim. */
@FunctionalInterface
public interface BatchHandler {

    /**
     * Handles a claim. Messages on which it reports nothing are done when it returns, and have
     * failed when it throws.
     *
     * <p>If it has reported through a transaction ({@link Ring#join}), what is left when it returns
     * is given back, at once and without counting as an attempt. So a handler that rolls back must
     * throw, too. Reports of transactions that committed hold even if it throws later.
     */
    void handle(Claim claim) throws Exception;
}

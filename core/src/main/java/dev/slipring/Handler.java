// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** Handles one message at a time. */
@FunctionalInterface
public interface Handler {

    /** Handles a message; if it throws, the message failed. */
    void handle(Delivery delivery) throws Exception;
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.SlipringException;

/**
 * Somebody speaks of a claim, or of its lane, in a transaction that went on for longer than a word
 * was to wait. Nothing of the word was stored.
 */
public final class LaneHeld extends SlipringException {

    private static final long serialVersionUID = 1L;

    /** With what is held, in words. */
    public LaneHeld(String message) {
        super(message);
    }
}

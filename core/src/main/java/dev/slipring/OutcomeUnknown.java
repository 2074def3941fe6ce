// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * The store was lost while it committed, and could not be asked since: what was asked may or may
 * not have happened.
 */
public class OutcomeUnknown extends SlipringException {

    private static final long serialVersionUID = 1L;

    /** With what was wrong and what to do. */
    public OutcomeUnknown(String message) {
        super(message);
    }

    /** With what was wrong and what to do, and the cause. */
    public OutcomeUnknown(String message, Throwable cause) {
        super(message, cause);
    }
}

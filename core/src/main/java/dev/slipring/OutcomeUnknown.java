// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * The connection to the store was lost during a commit, and the store could not be asked
 * afterwards: the operation may or may not have taken effect.
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

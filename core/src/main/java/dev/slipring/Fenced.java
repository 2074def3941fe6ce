// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * A worker reported too late: its lease had run out, or its claim was handed to another worker.
 * Nothing of the report took effect; the messages are or will be with another worker. If the same
 * report was made before and ended with {@link OutcomeUnknown}, that first one may have been taken
 * and have ended the claim.
 */
public class Fenced extends SlipringException {

    private static final long serialVersionUID = 1L;

    /** With what was wrong and what to do. */
    public Fenced(String message) {
        super(message);
    }

    /** With what was wrong and what to do, and the cause. */
    public Fenced(String message, Throwable cause) {
        super(message, cause);
    }
}

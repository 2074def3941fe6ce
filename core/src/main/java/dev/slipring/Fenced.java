// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * The word of a worker that came too late: its lease had run out or its claim was handed on.
 * Nothing of it took effect; the messages are or will be with another worker. If the same word was
 * said before and ended with {@link OutcomeUnknown}, that first one may have been taken and have
 * ended the claim.
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

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * The store or the ring refused something, or could not do it; the message says what happened and
 * what to do. Mistakes of the caller are not of this kind: {@link dev.slipring.graph.NoSuchStage},
 * {@link NotInHand}, and other {@link IllegalArgumentException}s.
 */
public class SlipringException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With what was wrong and what to do. */
    public SlipringException(String message) {
        super(message);
    }

    /** With what was wrong and what to do, and the cause. */
    public SlipringException(String message, Throwable cause) {
        super(message, cause);
    }
}

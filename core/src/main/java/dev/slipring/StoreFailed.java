// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** The store could not be reached or could not do what was asked; nothing of it has happened. */
public class StoreFailed extends SlipringException {

    private static final long serialVersionUID = 1L;

    /** With what was wrong and what to do. */
    public StoreFailed(String message) {
        super(message);
    }

    /** With what was wrong and what to do, and the cause. */
    public StoreFailed(String message, Throwable cause) {
        super(message, cause);
    }
}

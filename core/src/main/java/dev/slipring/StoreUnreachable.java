// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * The store could not be reached: its server is down or starts, has no connection left, the way to
 * it broke, or somebody keeps its whole file locked. What was asked has not happened, and may go
 * well later.
 */
public class StoreUnreachable extends StoreFailed {

    private static final long serialVersionUID = 1L;

    /** With what was wrong and what to do. */
    public StoreUnreachable(String message) {
        super(message);
    }

    /** With what was wrong and what to do, and the cause. */
    public StoreUnreachable(String message, Throwable cause) {
        super(message, cause);
    }
}

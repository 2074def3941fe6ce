// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * The store could not be reached: its server is down or is starting, has no connection left, the
 * connection to it broke, or somebody keeps its whole file locked. What was asked has not happened;
 * it may succeed later.
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

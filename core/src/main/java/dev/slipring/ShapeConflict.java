// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** A ring of that name exists already in another shape. */
public class ShapeConflict extends SlipringException {

    private static final long serialVersionUID = 1L;

    /** With what was wrong and what to do. */
    public ShapeConflict(String message) {
        super(message);
    }

    /** With what was wrong and what to do, and the cause. */
    public ShapeConflict(String message, Throwable cause) {
        super(message, cause);
    }
}

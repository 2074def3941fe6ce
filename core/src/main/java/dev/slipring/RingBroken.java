// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * Rows of a ring are missing or wrong in the store. Calls that need those rows are refused, and
 * every claim; the ring can be dropped.
 */
public class RingBroken extends StoreFailed {

    private static final long serialVersionUID = 1L;

    private final String what;

    /** With what is wrong, and what to do. */
    public RingBroken(String ring, String what) {
        this(ring, what, null);
    }

    /** With what is wrong, and the cause. */
    public RingBroken(String ring, String what, Throwable cause) {
        super("ring '" + ring + "' is broken: " + what, cause);
        this.what = what;
    }

    /** The same, told to another, with what was told first as its cause. */
    RingBroken(RingBroken first) {
        super(first.getMessage(), first);
        this.what = first.what;
    }

    /** What is wrong, without the ring's name. */
    public String what() {
        return what;
    }
}

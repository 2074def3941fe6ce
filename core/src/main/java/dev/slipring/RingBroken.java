// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** What the store has of a ring is not whole: nobody can work on it, but it can be dropped. */
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

    /** What is wrong, without the ring's name. */
    public String what() {
        return what;
    }
}

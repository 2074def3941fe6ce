// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.List;

/** There is no ring of that name, or it was dropped. */
public class NoSuchRing extends SlipringException {

    private static final long serialVersionUID = 1L;

    /** With what was wrong and what to do. */
    public NoSuchRing(String message) {
        super(message);
    }

    /** With those that there are, none or more. */
    public static NoSuchRing among(List<String> rings, String name) {
        return new NoSuchRing(
                "no ring '"
                        + name
                        + "'; the rings are: "
                        + (rings.isEmpty() ? "none" : String.join(", ", rings)));
    }

    /** With what was wrong and what to do, and the cause. */
    public NoSuchRing(String message, Throwable cause) {
        super(message, cause);
    }
}

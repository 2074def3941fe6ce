// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * A worker reported on a message that is not in its claim, or on which it had reported already.
 * Nothing of the report took effect.
 */
public class NotInHand extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** With what was wrong. */
    public NotInHand(String message) {
        super(message);
    }

    /** The word on a message of a claim that has come to its end. */
    static NotInHand nothingLeft() {
        return new NotInHand(
                "nothing of this claim is in hand any more: all messages are settled, or went"
                        + " back");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * The word of a worker about a message that is not in its claim, or about which it had spoken
 * already. Nothing of it took effect.
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

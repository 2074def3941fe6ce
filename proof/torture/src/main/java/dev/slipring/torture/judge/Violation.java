// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.List;

/**
 * A broken promise.
 *
 * @param promise the number of the promise
 * @param words what happened
 * @param history what all processes had to do with the message, in the order of time; empty if no
 *     message is concerned
 */
public record Violation(int promise, String words, List<String> history) {

    @Override
    public String toString() {
        return "promise " + promise + ": " + words;
    }
}

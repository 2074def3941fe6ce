// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.util.Objects;

/**
 * A worker's wish for messages.
 *
 * @param stage the stage
 * @param max how many messages at most, 1 or more
 * @param worker who asks, for people who look
 * @param before a word on an earlier claim of the same stage, taken first and in the same
 *     transaction; null if there is none
 */
public record ClaimRequest(String stage, int max, String worker, Settlement before) {

    public ClaimRequest {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(worker, "worker");
        if (max < 1) {
            throw new IllegalArgumentException(
                    "a claim of at most " + max + " messages; use 1 or more");
        }
    }

    /** A wish without a word. */
    public ClaimRequest(String stage, int max, String worker) {
        this(stage, max, worker, null);
    }

    /** Whether it comes without a word, or with a plain one. */
    public boolean isPlain() {
        return before == null || before.isPlain();
    }

    /** The same without the word. */
    public ClaimRequest alone() {
        return new ClaimRequest(stage, max, worker);
    }
}

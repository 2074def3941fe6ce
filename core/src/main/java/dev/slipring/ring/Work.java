// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.Objects;

/**
 * What a stage's threads do.
 *
 * @param threads how many
 * @param each the handler of single slots; null if batches are handled
 * @param whole the handler of batches; null if single slots are handled
 * @param onFailure what becomes of what fails
 * @param <T> what a slot is
 */
record Work<T>(
        int threads, SlotHandler<T> each, SlotBatchHandler<T> whole, OnFailure<T> onFailure) {

    Work {
        if (each == null && whole == null) {
            throw new NullPointerException("handler");
        }
        Objects.requireNonNull(onFailure, "onFailure");
        if (threads < 1 || threads > 10_000) {
            throw new IllegalArgumentException(threads + " worker threads; use 1 to 10,000");
        }
    }

    /** The sequence that so many threads need. */
    Sequence sequence(int capacity) {
        return threads > 1 ? new MCSequence(capacity) : new SCSequence();
    }
}

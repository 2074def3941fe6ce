// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * Handles a batch of slots: all that there are, as far as one may go at once.
 *
 * @param <T> what a slot is
 */
@FunctionalInterface
public interface SlotBatchHandler<T> {

    /**
     * Handles slots; if it throws, all of them failed. Keep no reference to them: when this returns
     * they belong to the stages that follow, and are filled again later.
     */
    void handle(SlotBatch<T> batch) throws Exception;
}

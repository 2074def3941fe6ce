// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * Handles one slot at a time.
 *
 * @param <T> what a slot is
 */
@FunctionalInterface
public interface SlotHandler<T> {

    /** Handles a slot, which is the next one's when this returns; if it throws, it failed. */
    void handle(T slot) throws Exception;
}

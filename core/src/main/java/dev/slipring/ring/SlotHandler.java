// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * Handles one slot at a time.
 *
 * @param <T> what a slot is
 */
@FunctionalInterface
public interface SlotHandler<T> {

    /**
     * Handles a slot; if it throws, the slot failed. Keep no reference to it: when this returns it
     * belongs to the stages that follow, and is filled again later.
     */
    void handle(T slot) throws Exception;
}

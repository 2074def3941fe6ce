// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * Handles all slots that there are, as far as one may go at once.
 *
 * @param <T> what a slot is
 */
@FunctionalInterface
public interface SlotsHandler<T> {

    /** Handles slots, which are the next one's when this returns; if it throws, all failed. */
    void handle(Slots<T> slots) throws Exception;
}

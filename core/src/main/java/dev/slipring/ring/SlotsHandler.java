// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * Handles all slots that there are, as far as one may go at once.
 *
 * @param <T> what a slot is
 */
@FunctionalInterface
public interface SlotsHandler<T> {

    /**
     * Handles slots; if it throws, all of them failed. Keep no reference to them: when this returns
     * they belong to the stages that follow, and are filled again later.
     */
    void handle(Slots<T> slots) throws Exception;
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * Knows which threads are filling a slot of a ring. Such a thread must not push into the same ring.
 * A single producer would get the same slot again, and what it filled first would be lost; one of
 * several could wait for room that there is only once its own slot is filled. Nor may it close the
 * ring, as that waits for the slot.
 */
final class Filling {

    /** A flag for each thread; null if one alone pushes. */
    private final ThreadLocal<boolean[]> each;

    private final boolean[] one = new boolean[1];

    Filling(boolean oneProducer) {
        each = oneProducer ? null : ThreadLocal.withInitial(() -> new boolean[1]);
    }

    /**
     * The calling thread's flag, to be set while it fills.
     *
     * @throws IllegalStateException if it is set
     */
    boolean[] mine() {
        return mine("push into", "push");
    }

    /**
     * Refuses the calling thread if it fills.
     *
     * @throws IllegalStateException if so
     */
    void refuseClose() {
        mine("close", "close it");
    }

    private boolean[] mine(String what, String later) {
        boolean[] mine = each == null ? one : each.get();
        if (mine[0]) {
            throw new IllegalStateException(
                    "a filler cannot "
                            + what
                            + " the ring whose slot it fills: "
                            + later
                            + " when it has returned");
        }
        return mine;
    }
}

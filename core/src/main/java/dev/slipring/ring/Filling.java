// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * Who fills a slot of a ring just now. Whoever does cannot push into the same ring: one producer
 * would get the same slot again, and what it filled first be lost; of several, one could wait for
 * room that comes only when its own slot is filled. Nor can he close it, as that waits for what he
 * fills.
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

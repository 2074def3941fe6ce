// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/** A thread that waits at a {@link Bell}. Each thread has one, as it waits at one at a time. */
final class Waiter {

    private static final ThreadLocal<Waiter> MINE = ThreadLocal.withInitial(Waiter::new);

    final Thread thread = Thread.currentThread();

    /** Who came to the bell before; written before this stands there, read by who rings. */
    Waiter next;

    /** Whether the bell rang, and this stands at none. */
    volatile boolean rung = true;

    static Waiter mine() {
        return MINE.get();
    }
}

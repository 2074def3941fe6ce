// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;

/** A thread that waits at a {@link Bell}. Each thread has one, as it waits at one at a time. */
final class Waiter {

    /** It stands at no bell. */
    static final int OUT = 0;

    /** It stands at a bell and is to be woken. */
    static final int WAITS = 1;

    /** It stands at a bell still, but its thread has gone on. */
    static final int AWAY = 2;

    static final VarHandle STATE;

    /**
     * Each thread's own. A thread of a pool may outlive the class loader that this was loaded by,
     * and must not keep it. The bell at which a waiter stands keeps the waiter.
     */
    private static final ThreadLocal<Reference<Waiter>> MINE = new ThreadLocal<>();

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Waiter.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Thread thread = Thread.currentThread();

    /**
     * The waiter that came to the bell before; written before this one stands there, read by the
     * ringer.
     */
    Waiter next;

    /** Where it stands; null if nowhere. For its own thread. */
    Bell at;

    /** What it waits to use; null if it stands nowhere. */
    volatile Sequence who;

    /** How far the bell's sequence must be. */
    volatile long index;

    volatile int state;

    static Waiter mine() {
        Reference<Waiter> known = MINE.get();
        Waiter waiter = known == null ? null : known.get();
        if (waiter == null) {
            waiter = new Waiter();
            MINE.set(new WeakReference<>(waiter));
        }
        return waiter;
    }

    /** Stands nowhere any more; for its own thread. */
    void leave() {
        if (at != null) {
            at.forget(this);
        }
    }

    /** Its thread goes without what it came for, and may end; for its own thread. */
    void giveUp() {
        if (at != null) {
            at.givenUp();
        }
    }

    /** Stands nowhere: its thread may live for long, and must not hold a ring that nobody uses. */
    void clear() {
        at = null;
        who = null;
    }

    /** Whether a bell rang for it since it came there. */
    boolean isRung() {
        return state == OUT;
    }
}

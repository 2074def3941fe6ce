// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Where threads wait for one sequence to come to an index. Who advances the sequence reads {@link
 * #wakeAt} afterwards and rings if it came so far; while nobody waits that is one read of a line
 * that nobody writes.
 *
 * <p>The waiting threads are a stack that is taken whole (R. K. Treiber, Systems Programming:
 * Coping with Parallelism, 1986): who rings wakes all of them, and who was woken too early comes
 * again.
 */
final class Bell extends BellLines.After {

    static final long NOBODY = Long.MAX_VALUE;

    private static final VarHandle WAKE_AT;
    private static final VarHandle WAITERS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WAKE_AT = lookup.findVarHandle(BellLines.Fields.class, "wakeAt", long.class);
            WAITERS = lookup.findVarHandle(BellLines.Fields.class, "waiters", Waiter.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The least index that somebody waits for; {@link #NOBODY} if nobody does. */
    long wakeAt() {
        return (long) WAKE_AT.getOpaque(this);
    }

    /**
     * Stands the calling thread's waiter here until {@link #ring} or {@link #leave}. A full fence:
     * what the caller reads next is at least as new.
     */
    void await(Waiter waiter, long index) {
        waiter.rung = false;
        do {
            waiter.next = (Waiter) WAITERS.getVolatile(this);
        } while (!WAITERS.compareAndSet(this, waiter.next, waiter));
        // After the push: who sees the one will find the other.
        long before;
        do {
            before = (long) WAKE_AT.getVolatile(this);
        } while (index < before && !WAKE_AT.compareAndSet(this, before, index));
        VarHandle.fullFence();
    }

    /** Wakes everybody. */
    void ring() {
        WAKE_AT.setVolatile(this, NOBODY);
        Waiter waiter = (Waiter) WAITERS.getAndSet(this, null);
        while (waiter != null) {
            Waiter next = waiter.next;
            Thread thread = waiter.thread;
            // From here on the waiter may stand elsewhere.
            waiter.rung = true;
            LockSupport.unpark(thread);
            waiter = next;
        }
    }

    /** Takes the calling thread's waiter away, if the bell has not rung. */
    void leave(Waiter waiter) {
        if (!waiter.rung) {
            // One cannot be taken out of the middle; the others come again.
            ring();
            while (!waiter.rung) {
                // Somebody else has taken the stack and is on the way down.
                Thread.onSpinWait();
            }
        }
    }
}

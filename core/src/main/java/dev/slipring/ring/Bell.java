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
 * Coping with Parallelism, 1986). Who rings wakes those whose index is there, of threads that share
 * a sequence as many as there are indices for, the last who came first, and puts the others back. A
 * thread that goes on unwoken leaves its waiter behind, to be found there when it comes again.
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
     * Stands the calling thread's waiter here until it is rung for or {@linkplain #leave leaves}. A
     * full fence: what the caller reads next is at least as new.
     *
     * @param who what it waits to use
     * @param index how far this bell's sequence must be for that
     */
    void await(Waiter waiter, Sequence who, long index) {
        if (waiter.at != this) {
            waiter.leave();
            waiter.at = this;
        }
        waiter.who = who;
        waiter.index = index;
        if (!Waiter.STATE.compareAndSet(waiter, Waiter.AWAY, Waiter.WAITS)) {
            waiter.state = Waiter.WAITS;
            push(waiter);
        }
        // After the push: who sees the one will find the other.
        wakeAt(index);
        VarHandle.fullFence();
    }

    /**
     * The calling thread's waiter waits no more.
     *
     * @return whether the bell has rung for it: if it does not use what it was woken for, it is to
     *     ring for the next
     */
    boolean leave(Waiter waiter) {
        return !Waiter.STATE.compareAndSet(waiter, Waiter.WAITS, Waiter.AWAY);
    }

    /**
     * Wakes whom the bell's sequence has come far enough for, and lets them run: the system may
     * have them on the caller's processor, where they would wait until its time is over.
     */
    void ring(Sequence sequence) {
        if (wakesBy(sequence)) {
            Thread.yield();
        }
    }

    /** Whether somebody was woken. */
    private boolean wakesBy(Sequence sequence) {
        boolean woken = false;
        long least = Long.MIN_VALUE;
        // Who advances while nobody seems to wait leaves it to us to look again.
        for (long now = sequence.availableIndex(); now >= least; now = sequence.availableIndex()) {
            least = ringUpTo(now);
            if (least < 0) {
                woken = true;
                least = ~least;
            }
            if (least == NOBODY) {
                break;
            }
            wakeAt(least);
            VarHandle.fullFence();
        }
        return woken;
    }

    /** Wakes everybody. */
    void ringAll() {
        WAKE_AT.setVolatile(this, NOBODY);
        Waiter waiter = (Waiter) WAITERS.getAndSet(this, null);
        while (waiter != null) {
            Waiter next = waiter.next;
            wake(waiter);
            waiter = next;
        }
    }

    /**
     * Wakes who waits for an index up to this.
     *
     * @return the least that others wait for; its complement if somebody was woken
     */
    private long ringUpTo(long reached) {
        WAKE_AT.setVolatile(this, NOBODY);
        Waiter waiter = (Waiter) WAITERS.getAndSet(this, null);
        long least = NOBODY;
        Sequence pool = null;
        long left = 0;
        boolean woken = false;
        while (waiter != null) {
            Waiter next = waiter.next;
            Sequence who = waiter.who;
            if (who != pool) {
                pool = who;
                left = who.usable(reached);
            }
            if (Waiter.STATE.compareAndSet(waiter, Waiter.AWAY, Waiter.OUT)) {
                // Its thread stands here no more, and knows.
            } else if (waiter.index <= reached && left > 0) {
                if (wake(waiter)) {
                    woken = true;
                    left--;
                }
            } else {
                push(waiter);
                // Read behind the push: its thread may have gone and come for another index, and
                // who rings in between has not seen it.
                least = Math.min(least, Math.max(waiter.index, reached + 1));
            }
            waiter = next;
        }
        return woken ? ~least : least;
    }

    private static boolean wake(Waiter waiter) {
        Thread thread = waiter.thread;
        // From here on the waiter may stand elsewhere.
        boolean waits = (int) Waiter.STATE.getAndSet(waiter, Waiter.OUT) == Waiter.WAITS;
        if (waits) {
            LockSupport.unpark(thread);
        }
        return waits;
    }

    private void push(Waiter waiter) {
        do {
            waiter.next = (Waiter) WAITERS.getVolatile(this);
        } while (!WAITERS.compareAndSet(this, waiter.next, waiter));
    }

    private void wakeAt(long index) {
        long before;
        do {
            before = (long) WAKE_AT.getVolatile(this);
        } while (index < before && !WAKE_AT.compareAndSet(this, before, index));
    }

    /** Has the calling thread's waiter stand here no more. */
    void forget(Waiter waiter) {
        while (!waiter.isRung()) {
            // One cannot be taken out of the middle; the others come again. Who rings at the same
            // time may put it back once more.
            ringAll();
        }
    }
}

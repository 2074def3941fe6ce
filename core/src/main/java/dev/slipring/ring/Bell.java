// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Where threads wait for one sequence to come to an index. A thread that has advanced the sequence
 * reads {@link #wakeAt}, and rings if the sequence has come so far. While nobody waits, that is one
 * read of a cache line that nobody writes.
 *
 * <p>The waiting threads are a stack that is taken whole (R. K. Treiber, Systems Programming:
 * Coping with Parallelism, 1986). The ringer wakes those whose index is there, the last who came
 * first, and puts the others back. Of threads that share a sequence it wakes as many as there are
 * indices for. A thread that goes on without having been woken leaves its waiter behind, and finds
 * it there when it comes again.
 *
 * <p>One thread rings at a time, because those whom it will put back stand nowhere meanwhile.
 * Another that has to ring leaves the ringer an errand. So does every thread that advances
 * meanwhile, as {@link #RINGING} is less than any index. So no thread can advance, without a fence
 * and unseen, past those whom the ringer has in hand.
 */
final class Bell extends BellLines.After {

    static final long NOBODY = Long.MAX_VALUE;

    /** Somebody rings: whoever advances meanwhile has to ring too. */
    static final long RINGING = Long.MIN_VALUE;

    /** Somebody rings. */
    private static final int RINGS = 1;

    /** To look how far the sequence is. */
    static final int ADVANCED = 2;

    /** To look through those who wait: one has come, or one that was woken goes. */
    private static final int CHANGED = 4;

    /** To wake everybody. */
    private static final int ALL = 8;

    private static final VarHandle WAKE_AT;
    private static final VarHandle WAITERS;
    private static final VarHandle ERRANDS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WAKE_AT = lookup.findVarHandle(BellLines.Fields.class, "wakeAt", long.class);
            WAITERS = lookup.findVarHandle(BellLines.Fields.class, "waiters", Waiter.class);
            ERRANDS = lookup.findVarHandle(BellLines.Fields.class, "errands", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** How many waiters of threads that have given up may stand here before they are removed. */
    private static final int MOST_GIVEN_UP = 256;

    private final Sequence sequence;

    /** How many have given up. */
    private final AtomicInteger givenUp = new AtomicInteger();

    Bell(Sequence sequence) {
        this.sequence = sequence;
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
     * @return whether it comes anew: whoever advances may not know of it yet
     */
    boolean await(Waiter waiter, Sequence who, long index) {
        if (waiter.at != this) {
            waiter.leave();
            waiter.at = this;
        }
        waiter.who = who;
        waiter.index = index;
        // Only this exchange can tell: the bell may have rung for it until now.
        boolean anew = !Waiter.STATE.compareAndSet(waiter, Waiter.AWAY, Waiter.WAITS);
        if (anew) {
            waiter.state = Waiter.WAITS;
            push(waiter);
        }
        // After the push: whoever sees this finds the waiter.
        wakeAt(index);
        VarHandle.fullFence();
        return anew;
    }

    /**
     * The calling thread's waiter waits no more.
     *
     * @return whether the bell has rung for it: if it does not use what it was woken for, it is to
     *     {@linkplain #ringAgain ring for the next}
     */
    boolean leave(Waiter waiter) {
        boolean rung = !Waiter.STATE.compareAndSet(waiter, Waiter.WAITS, Waiter.AWAY);
        if (rung) {
            waiter.clear();
        }
        return rung;
    }

    /**
     * Wakes those for whom the bell's sequence has come far enough, and lets them run: the system
     * may have put them on the caller's processor, where they would wait until its time slice is
     * over.
     */
    void ring() {
        if (rings(ADVANCED)) {
            Thread.yield();
        }
    }

    /** Wakes others for an index that a woken thread does not use. */
    void ringAgain() {
        if (rings(CHANGED)) {
            Thread.yield();
        }
    }

    /**
     * One whose waiter stands here has given up. It may have been its last wish: threads that come
     * for one push each would fill the memory while nobody rings. So now and then those who do not
     * wait are put out.
     */
    void givenUp() {
        if (givenUp.incrementAndGet() % MOST_GIVEN_UP == 0) {
            ringAgain();
        }
    }

    /** Wakes everybody. */
    void ringAll() {
        rings(ALL);
    }

    /** Whether somebody was woken by the caller itself. */
    private boolean rings(int errand) {
        boolean woken = false;
        if (begins(errand)) {
            do {
                woken |= goesRound();
            } while (!ends());
        }
        return woken;
    }

    /** Makes the caller the ringer; false if somebody rings already, and has got the errand. */
    boolean begins(int errand) {
        if ((int) ERRANDS.getAndBitwiseOr(this, RINGS | errand) != 0) {
            return false;
        }
        due = (long) WAKE_AT.getAndSet(this, RINGING);
        return true;
    }

    /** Does what was asked for; returns whether somebody was woken. */
    boolean goesRound() {
        int errands = (int) ERRANDS.getAndSet(this, RINGS);
        if ((errands & ALL) != 0) {
            wakeAll();
            due = NOBODY;
            return true;
        }
        // Read after the errands: whoever left one has advanced before that.
        long reached = sequence.availableIndex();
        return ((errands & CHANGED) != 0 || reached >= due) && ringUpTo(reached);
    }

    /** Ends the ringing; false if there is another errand by now, and the caller has to go on. */
    boolean ends() {
        WAKE_AT.setVolatile(this, due);
        if (ERRANDS.compareAndSet(this, RINGS, 0)) {
            return true;
        }
        due = Math.min(due, (long) WAKE_AT.getAndSet(this, RINGING));
        return false;
    }

    private void wakeAll() {
        Waiter waiter = (Waiter) WAITERS.getAndSet(this, null);
        while (waiter != null) {
            Waiter next = waiter.next;
            wake(waiter);
            waiter = next;
        }
    }

    /** Wakes those who wait for an index up to this; returns whether somebody was woken. */
    private boolean ringUpTo(long reached) {
        Waiter waiter = (Waiter) WAITERS.getAndSet(this, null);
        due = NOBODY;
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
                // Read after the push: its thread may have gone and come for another index, and a
                // ringer in between has not seen it.
                due = Math.min(due, Math.max(waiter.index, reached + 1));
            }
            waiter = next;
        }
        return woken;
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
        while (true) {
            long before = (long) WAKE_AT.getVolatile(this);
            if (before != RINGING) {
                if (index >= before || WAKE_AT.compareAndSet(this, before, index)) {
                    return;
                }
            } else if (asks(CHANGED)) {
                return;
            }
        }
    }

    /** Leaves the ringer an errand; false if nobody rings any more. */
    private boolean asks(int errand) {
        int errands = (int) ERRANDS.getVolatile(this);
        return errands != 0 && ERRANDS.compareAndSet(this, errands, errands | errand);
    }

    /** Removes the calling thread's waiter. */
    void forget(Waiter waiter) {
        if (!waiter.isRung()) {
            // One cannot be taken out of the middle; the others come again.
            ringAll();
        }
        while (!waiter.isRung()) {
            // Somebody else rings, and will for this one too.
            Thread.yield();
        }
        waiter.clear();
    }
}

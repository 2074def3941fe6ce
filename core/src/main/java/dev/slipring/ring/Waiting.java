// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import dev.slipring.threads.VirtualThreads;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How a thread waits for an index. It first looks again and again, then lets others run between
 * looks, then parks and is woken by the sequence that it waits for: consumers by producers, stages
 * by stages, producers by the stages that end their circle.
 *
 * <p>While there is much to do, a thread that looked in vain waits for a good part of the ring
 * rather than for one slot, as one slot at a time would have the threads fight for the same cache
 * lines, or wake each other all the time. It does so for a few looks and a nap of 50 microseconds
 * at most; then one slot is enough. Where there are more threads than processors, a thread that has
 * its sequence for itself does so for one turn of the others.
 *
 * <p>Nothing is lost between the last look and the parking. A thread stands at the bell before it
 * looks for the last time. Whoever advances reads the bell after it has advanced, with no fence
 * between the two, so that advancing costs little; the value may become visible a moment after the
 * bell was read. A processor's stores take far less than a nap to become visible, and the first
 * parking is a nap after which the thread looks again. Even if that were too short, it looks again
 * by itself after 4 seconds at most.
 *
 * <p>A virtual thread that looks again and again gives way to no other, and if several yield in
 * turn, Java runs only those. So a virtual thread that is told to look for longer than {@link
 * #PARK} does waits as {@code PARK}.
 *
 * @param spins how often it looks in a loop, where there is a processor for each
 * @param yields how often it looks while others may run
 * @param parks whether it then parks; otherwise it goes on as before until the time is over
 */
public record Waiting(int spins, int yields, boolean parks) {

    /** Looks without end, for the least latency where each thread has a processor. */
    public static final Waiting BUSY_SPIN = new Waiting(Integer.MAX_VALUE, 0, false);

    /** Looks, and lets others run between looks. */
    public static final Waiting YIELD = new Waiting(200, Integer.MAX_VALUE, false);

    /** Looks, lets others run, then parks: the default. */
    public static final Waiting PARK = new Waiting(200, 20, true);

    /** Parks at once. */
    public static final Waiting BLOCK = new Waiting(0, 0, true);

    private static final int SLIPS = 4;
    private static final int SLIP = 16;
    private static final int PAUSES = 32;

    /** How often a thread of a pool lets others run for more messages, if it does not park. */
    private static final int TURNS_OF_A_POOL = 64;

    /** How often a {@linkplain #pause pause} is doubled at most. */
    static final int LONGEST = 4;

    private static final long YIELDING = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long NAP = TimeUnit.MICROSECONDS.toNanos(50);

    /**
     * After how long a thread that sleeps looks by itself for the first time. Tests make it longer
     * than their patience, so that a wake-up that is lost cannot hide.
     */
    private static final long FIRST_PARK =
            TimeUnit.MILLISECONDS.toNanos(Long.getLong("slipring.ring.firstLook", 50));

    private static final long LAST_PARK = Math.max(TimeUnit.SECONDS.toNanos(4), FIRST_PARK);

    public Waiting {
        if (spins < 0 || yields < 0) {
            throw new IllegalArgumentException(
                    spins + " spins and " + yields + " yields: both must be 0 or more");
        }
        if (!parks && spins + (long) yields < Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "after " + spins + " spins and " + yields + " yields a thread must park");
        }
    }

    /** When a wait of so many nanoseconds is over, as {@link System#nanoTime} counts. */
    static long deadline(long nanos) {
        // Half of what a long can count: far off, and safe to subtract.
        return nanos <= 0 ? 0 : System.nanoTime() + Math.min(nanos, Long.MAX_VALUE >> 1);
    }

    private static long left(long deadline) {
        return deadline == 0 ? 0 : deadline - System.nanoTime();
    }

    /**
     * Waits until so many indices might be claimed, or the sequence is closed.
     *
     * @return false if the time is over
     */
    boolean await(Sequence who, int n, long deadline) throws InterruptedException {
        Circuit circuit = who.circuit();
        long most = Math.max(circuit.capacity() - n, 0);
        long slack = Math.min(who.isProducer() ? circuit.batch() : who.slack, most);
        if (who.isReady(n + slack)) {
            expectMore(who, slack, circuit);
            return true;
        }
        if (left(deadline) <= 0) {
            return false;
        }
        if (isLonger(PARK) && VirtualThreads.isCurrent()) {
            return PARK.await(who, n, deadline);
        }
        boolean crowded = circuit.isCrowded();
        if (crowded ? takesTurns(who, n, n + slack, deadline) : slip(who, n + slack)) {
            expectMore(who, slack, circuit);
            return true;
        }
        who.slack = slack / 2;
        long patience = parks ? YIELDING : Long.MAX_VALUE;
        if (who.isReady(n)
                || !crowded && (spins(who, n, deadline) || yields(who, n, deadline, patience))) {
            return true;
        }
        return parks ? park(who, n, slack, deadline) : !isOver(deadline);
    }

    private boolean isLonger(Waiting other) {
        return !parks || spins > other.spins || yields > other.yields;
    }

    /**
     * A thread that found as much as it hoped for hopes for more the next time. Also if it did not
     * have to wait: else it would stay one behind the last index for good, and take them one by
     * one.
     */
    private static void expectMore(Sequence who, long slack, Circuit circuit) {
        if (slack < circuit.batch()) {
            who.slack = Math.min(2 * slack + 1, circuit.batch());
        }
    }

    /** Lets some time go by: a microsecond or so, doubled so many times. */
    static void pause(int doubled) {
        for (int i = PAUSES << Math.min(doubled, LONGEST); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /** Lets some time go by, in which what comes next is left alone, and looks now and then. */
    private boolean slip(Sequence who, long n) {
        for (int i = 0; spins > 0 && i < SLIPS; i++) {
            for (int j = 0; j < SLIP; j++) {
                Thread.onSpinWait();
            }
            if (who.isReady(n)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lets others run until something is there; one turn of theirs is the time in which more may
     * come. Threads that share a sequence leave it alone for longer: otherwise each would be woken
     * for what another has taken by then.
     *
     * @return whether as much is there as was hoped for
     */
    private boolean takesTurns(Sequence who, int n, long hoped, long deadline)
            throws InterruptedException {
        int enough = who instanceof MCSequence ? TURNS_OF_A_POOL : 1;
        for (int i = 1; i <= yields && i > 0; i++) {
            Thread.yield();
            if (who.isReady(hoped)) {
                return true;
            }
            if (i >= enough && who.isReady(n) || (i & 63) == 0 && isOver(deadline)) {
                return false;
            }
        }
        return false;
    }

    private boolean spins(Sequence who, long n, long deadline) throws InterruptedException {
        for (int i = 1; i <= spins && i > 0; i++) {
            Thread.onSpinWait();
            if (who.isReady(n)) {
                return true;
            }
            if ((i & 63) == 0 && isOver(deadline)) {
                return false;
            }
        }
        return false;
    }

    private boolean yields(Sequence who, long n, long deadline, long patience)
            throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 1; i <= yields && i > 0; i++) {
            Thread.yield();
            if (who.isReady(n)) {
                return true;
            }
            if (System.nanoTime() - start > patience) {
                // Others need the processors: a thread that is woken gets one sooner than a thread
                // that yields.
                return false;
            }
            if ((i & 63) == 0 && isOver(deadline)) {
                return false;
            }
        }
        return false;
    }

    private static boolean isOver(long deadline) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return left(deadline) <= 0;
    }

    private static boolean park(Sequence who, int n, long slack, long deadline)
            throws InterruptedException {
        boolean ready = false;
        try {
            ready = parkUntilReady(who, n, slack, deadline);
            return ready;
        } finally {
            if (!ready) {
                Waiter.mine().giveUp();
            }
        }
    }

    private static boolean parkUntilReady(Sequence who, int n, long slack, long deadline)
            throws InterruptedException {
        if (slack > 0) {
            parkOnce(who, n, slack, Math.min(NAP, left(deadline)));
        }
        long pause = NAP;
        while (!who.isReady(n)) {
            long left = left(deadline);
            if (left <= 0) {
                return false;
            }
            boolean rung = parkOnce(who, n, 0, Math.min(pause, left));
            pause = rung ? NAP : Math.min(Math.max(pause * 8, FIRST_PARK), LAST_PARK);
        }
        return true;
    }

    /**
     * Parks until so many indices may be free, and some more, or for so long; returns whether a
     * bell rang.
     */
    private static boolean parkOnce(Sequence who, int n, long slack, long nanos)
            throws InterruptedException {
        long index = who.current() + n + slack;
        Sequence slowest = who.slowest(index);
        if (slowest == null) {
            return true;
        }
        Waiter waiter = Waiter.mine();
        // A thread that comes to a bell anew naps first, see above.
        boolean anew = slowest.bell.await(waiter, who, who.bellIndex(index));
        long left = anew ? Math.min(nanos, NAP) : nanos;
        boolean uses = false;
        boolean rung;
        try {
            long end = System.nanoTime() + left;
            while (!waiter.isRung() && left > 0 && !who.isReady(n + slack)) {
                LockSupport.parkNanos(slowest, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                left = end - System.nanoTime();
            }
            // Others may have claimed too many for this one meanwhile, but left enough for another.
            uses = n == 1 || who.isReady(n);
        } finally {
            rung = slowest.bell.leave(waiter);
            if (rung && !uses) {
                // What it was woken for is for another.
                slowest.bell.ringAgain();
            }
        }
        return rung;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.watch.Watcher;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Extends the leases of claims that are being handled, three times during each lease, so that an
 * extension that is late or fails does no harm. Where the store is so far away that one thread
 * would not come round to all claims in time, others help it. A claim of which an open transaction
 * has spoken cannot be extended for the moment. It keeps no other waiting: it is tried again in
 * between, until the transaction has ended.
 */
final class LeaseKeeper implements AutoCloseable {

    /**
     * The longest pause between two tries of such claims: nothing tells of the end of a
     * transaction.
     */
    private static final long MOST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** With the keeper's own thread half as many as a store may have connections. */
    private static final int MOST_HELPERS = 7;

    private final Set<Claim> inHand = ConcurrentHashMap.newKeySet();

    /** Those of them whose time has come. */
    private final Queue<Claim> due = new ConcurrentLinkedQueue<>();

    private final AtomicInteger helpers = new AtomicInteger();

    /** Set on the threads of this keeper. */
    private final ThreadLocal<Boolean> here = ThreadLocal.withInitial(() -> false);

    /** Those that could not be extended when their time came, as somebody speaks of them. */
    private final Queue<Claim> spokenOf = new ConcurrentLinkedQueue<>();

    private final Watcher watcher;
    private final AtomicLong everyNanos;
    private final Thread thread;
    private volatile boolean closed;

    LeaseKeeper(String name, long leaseMillis, Watcher watcher) {
        this.watcher = watcher;
        this.everyNanos = new AtomicLong(third(leaseMillis));
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static long third(long leaseMillis) {
        return Math.max(TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 3, 1_000_000);
    }

    void keep(Claim claim) {
        inHand.add(claim);
        long third = third(claim.lease().toMillis());
        if (third < everyNanos.get()) {
            // The stage was given a shorter lease. After a longer one extending as often does no
            // harm.
            everyNanos.accumulateAndGet(third, Math::min);
            LockSupport.unpark(thread);
        }
    }

    void drop(Claim claim) {
        inHand.remove(claim);
    }

    /**
     * Whether this is one of its threads, on which a listener hears of leases: the worker of such a
     * claim has to wait until the listener returns.
     */
    boolean isHere() {
        return here.get();
    }

    private void run() {
        here.set(true);
        long last = System.nanoTime();
        while (!closed) {
            // An interrupt that a listener left behind would end every pause at once.
            Thread.interrupted();
            long every = everyNanos.get();
            long left = last + every - System.nanoTime();
            if (left <= 0) {
                extendAll(every);
                // After a stall once, not once for each time that was missed.
                last += Math.max(every, System.nanoTime() - every - last);
            } else if (spokenOf.isEmpty()) {
                LockSupport.parkNanos(left);
            } else {
                LockSupport.parkNanos(Math.min(every / 20, MOST_PAUSE_NANOS));
                tryAgain();
            }
        }
    }

    private void extendAll(long every) {
        spokenOf.clear();
        due.clear();
        due.addAll(inHand);
        long start = System.nanoTime();
        long count = 0;
        while (extendNext()) {
            count++;
            long each = (System.nanoTime() - start) / count;
            if (each * due.size() / (1 + helpers.get()) > every / 2) {
                hire();
            }
        }
    }

    /** Extends the next one whose time has come; false if there is none. */
    private boolean extendNext() {
        Claim claim = closed ? null : due.poll();
        if (claim != null && inHand.contains(claim)) {
            extend(claim);
        }
        return claim != null;
    }

    private void hire() {
        if (helpers.get() == MOST_HELPERS) {
            return;
        }
        helpers.incrementAndGet();
        Thread helper = new Thread(this::help, thread.getName());
        helper.setDaemon(true);
        boolean helps = false;
        try {
            helper.start();
            helps = true;
        } catch (OutOfMemoryError e) {
            // The system has no thread to give: it takes longer, but goes on.
            watcher.storeFailed(new SlipringException("leases are extended late: " + e, e));
        } finally {
            if (!helps) {
                helpers.decrementAndGet();
            }
        }
    }

    private void help() {
        here.set(true);
        try {
            while (extendNext()) {
                // An interrupt that a listener left behind is meant for nobody.
                Thread.interrupted();
            }
        } finally {
            helpers.decrementAndGet();
        }
    }

    /** Tries the next of those that were spoken of again, if it is still in hand. */
    private void tryAgain() {
        Claim claim = spokenOf.poll();
        if (claim != null && inHand.contains(claim)) {
            extend(claim);
        }
    }

    private void extend(Claim claim) {
        try {
            if (!claim.tryExtend()) {
                spokenOf.add(claim);
            }
        } catch (Fenced e) {
            // The worker learns it from the claim, which has nothing left now.
            inHand.remove(claim);
        } catch (RuntimeException | Error e) {
            // Without its keeper every other claim would run out.
            watcher.storeFailed(
                    new SlipringException("a lease was not extended: " + Watcher.words(e), e));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}

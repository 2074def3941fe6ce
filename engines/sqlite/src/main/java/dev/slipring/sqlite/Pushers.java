// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Threads that push again as soon as they are told that their last push is on the disk, as those do
 * that push one message after the other. Workers are woken at the same time. A worker who comes
 * first would find nothing to claim, and keep the pushers waiting meanwhile; so it lets them go
 * first. Thread-safe.
 */
final class Pushers {

    /** Twice what it takes a thread to wake up and push what it has at hand. */
    static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final LongSupplier nanos;
    private final AtomicInteger here = new AtomicInteger();

    /** The last commit of theirs. */
    private volatile long committed;

    /** The last commit of theirs that they were told of. */
    private volatile long told;

    private volatile long toldAt;

    /** Who came last, and whether that was soon after somebody was told: so it may be again. */
    private volatile Coming last = new Coming(0, false);

    private record Coming(long thread, boolean soon) {}

    /** Nobody so far; by a clock of nanoseconds. */
    Pushers(LongSupplier nanos) {
        this.nanos = nanos;
        toldAt = nanos.getAsLong() - SOON_NANOS;
    }

    /** This thread comes. */
    void come() {
        last = new Coming(Thread.currentThread().getId(), isSoon());
        here.incrementAndGet();
    }

    /** It goes: to wait for the disk, or because it failed. */
    void go() {
        here.decrementAndGet();
    }

    /** Some of them wrote a commit. For the writer. */
    void committed(long commit) {
        committed = commit;
    }

    /** So many commits are on the disk. For the thread that has synced. */
    void synced(long commits) {
        long mine = committed;
        if (told < mine && mine <= commits) {
            toldAt = nanos.getAsLong();
            told = mine;
        }
    }

    /** Lets those go first who are about to come, unless somebody else is in front anyway. */
    void letPass(BooleanSupplier others) {
        while (areDue() && !others.getAsBoolean()) {
            Thread.yield();
        }
    }

    /** Whether another thread is about to come. */
    boolean areDue() {
        Coming before = last;
        return before.soon
                && before.thread != Thread.currentThread().getId()
                && here.get() == 0
                && told == committed
                && isSoon();
    }

    private boolean isSoon() {
        return nanos.getAsLong() - toldAt < SOON_NANOS;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.waiting;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Something may have changed. Who waits reads {@link #changes} first, looks, and then waits for a
 * later change, so that none is lost between the look and the wait.
 */
public final class Signal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long changes;

    /** A signal that was never raised. */
    public Signal() {}

    /** How often it was raised. */
    public long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes all who wait. */
    public void raise() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until it was raised more often than {@code seen}, at most some nanoseconds.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void await(long seen, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (changes == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}

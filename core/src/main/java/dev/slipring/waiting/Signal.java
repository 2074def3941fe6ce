// SPDX-License-Identifier: Apache-2.0
package dev.slipring.waiting;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A counter of changes that threads can wait on. Read {@link #changes}, look, then wait for a later
 * one, so that none is lost between the look and the wait. Thread-safe.
 */
public final class Signal {

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Listening> listening = new ArrayList<>();
    private long changes;

    /** A signal that was never raised. */
    public Signal() {}

    /**
     * Threads that do not listen to each other: when one of them raises the signal, that is no news
     * to the others.
     */
    public static final class Circle {

        private long own;

        /** A circle of nobody yet. */
        public Circle() {}
    }

    /**
     * A thread that waits.
     *
     * @param circle whom it does not listen to; null if it listens to all
     * @param woken signalled when there is news
     */
    private record Listening(Circle circle, Condition woken) {}

    /** How often it was raised. */
    public long changes() {
        return changes(null);
    }

    /** How often it was raised by others than a circle; null for all. */
    public long changes(Circle circle) {
        lock.lock();
        try {
            return news(circle);
        } finally {
            lock.unlock();
        }
    }

    private long news(Circle circle) {
        return circle == null ? changes : changes - circle.own;
    }

    /** Wakes all who wait. */
    public void raise() {
        raise(null);
    }

    /** Wakes all who wait, except those of a circle; null for all. */
    public void raise(Circle but) {
        lock.lock();
        try {
            changes++;
            if (but != null) {
                but.own++;
            }
            for (Listening each : listening) {
                if (but == null || each.circle != but) {
                    each.woken.signal();
                }
            }
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
        await(null, seen, nanos);
    }

    /**
     * Waits until others than a circle raised it more often than {@code seen}, at most some
     * nanoseconds.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void await(Circle circle, long seen, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Listening mine = new Listening(circle, lock.newCondition());
            listening.add(mine);
            try {
                long left = nanos;
                while (news(circle) == seen && left > 0) {
                    left = mine.woken.awaitNanos(left);
                }
            } finally {
                listening.removeIf(each -> each == mine);
            }
        } finally {
            lock.unlock();
        }
    }
}

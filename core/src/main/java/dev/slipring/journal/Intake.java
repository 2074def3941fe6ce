// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.RingFull;
import dev.slipring.StoreFailed;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where pushes gather, bounded in messages and bytes: who finds it full waits until the journal has
 * written.
 */
final class Intake {

    private static final int MAX_MESSAGES = 65_536;

    private final String ring;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition written = lock.newCondition();
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long messages;
    private long bytes;
    private boolean closed;

    Intake(String ring, long maxBytes) {
        this.ring = ring;
        this.maxBytes = maxBytes;
    }

    /** Adds an entry; an entry of any size finds room when nothing else is there. */
    void add(Entry entry) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (!closed && messages > 0 && isFull(entry) && !entry.isLate()) {
                try {
                    written.awaitNanos(Math.max(entry.deadlineNanos - System.nanoTime(), 1));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (closed) {
                throw new StoreFailed("ring '" + ring + "' is closed for pushes here");
            }
            if (messages > 0 && isFull(entry)) {
                throw new RingFull(
                        "ring '"
                                + ring
                                + "' did not take what was pushed before within the time-out",
                        0,
                        0);
            }
            entries.add(entry);
            messages += entry.messages.size();
            bytes += entry.bytes;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isFull(Entry entry) {
        return messages + entry.messages.size() > MAX_MESSAGES || bytes + entry.bytes > maxBytes;
    }

    /** Moves what has gathered. */
    void drainTo(Collection<Entry> target) {
        lock.lock();
        try {
            target.addAll(entries);
            entries.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The entry that has waited longest; null if there is none. */
    Entry first() {
        lock.lock();
        try {
            return entries.peek();
        } finally {
            lock.unlock();
        }
    }

    /** An entry that was drained is written or refused: its room is free. */
    void free(Entry entry) {
        lock.lock();
        try {
            messages -= entry.messages.size();
            bytes -= entry.bytes;
            written.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            written.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.NoSuchRing;
import dev.slipring.RingFull;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.threads.Unbroken;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How much may gather in a journal, in messages and bytes: a push that finds no room waits until
 * some was written. Thread-safe.
 */
final class Room {

    private static final int MAX_MESSAGES = 65_536;

    private final String name;
    private final long maxBytes;
    private final AtomicReference<Held> held = new AtomicReference<>(new Held(0, 0));
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private volatile boolean closed;
    private volatile boolean dropped;

    /**
     * What has gathered.
     *
     * @param messages how many
     * @param bytes how long they are together
     */
    private record Held(long messages, long bytes) {}

    Room(String name, long maxBytes) {
        this.name = name;
        this.maxBytes = maxBytes;
    }

    /** Takes room for an entry: as long as there is any, an entry of any size finds some. */
    void take(Entry entry) {
        if (closed || !tryTake(entry)) {
            await(entry);
        }
    }

    private boolean tryTake(Entry entry) {
        while (true) {
            Held now = held.get();
            // Whatever it adds: a large push would wait for ever behind small ones that still fit.
            if (now.messages >= MAX_MESSAGES || now.bytes >= maxBytes) {
                return false;
            }
            Held then = new Held(now.messages + entry.messages.size(), now.bytes + entry.bytes);
            if (held.compareAndSet(now, then)) {
                return true;
            }
        }
    }

    private void await(Entry entry) {
        lock.lock();
        // Counted before the next look: a thread that frees room either is seen by that look, or
        // sees the count.
        waiting.incrementAndGet();
        try {
            Unbroken.get(() -> takeWhenFree(entry));
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }

    /** Takes what an entry needs as soon as it is free; true. Under the lock. */
    private boolean takeWhenFree(Entry entry) throws InterruptedException {
        while (true) {
            if (closed) {
                throw closed();
            }
            if (tryTake(entry)) {
                return true;
            }
            if (entry.isLate()) {
                throw full();
            }
            freed.awaitNanos(entry.deadlineNanos - System.nanoTime());
        }
    }

    /** Whether nobody has any. */
    boolean isEmpty() {
        return held.get().messages == 0;
    }

    /** An entry needs its room no more. */
    void free(Entry entry) {
        held.updateAndGet(
                now -> new Held(now.messages - entry.messages.size(), now.bytes - entry.bytes));
        if (waiting.get() > 0) {
            wakeAll();
        }
    }

    /** Gives no room any more; who asks is told whether the ring was dropped. */
    void close(boolean ringDropped) {
        dropped = ringDropped;
        closed = true;
        wakeAll();
    }

    private void wakeAll() {
        lock.lock();
        try {
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    SlipringException closed() {
        return dropped
                ? new NoSuchRing("ring '" + name + "' was dropped")
                : new StoreFailed("ring '" + name + "' is closed for pushes here");
    }

    RingFull full() {
        return new RingFull(
                "ring '" + name + "' did not take what was pushed before within the time-out",
                0,
                0);
    }
}

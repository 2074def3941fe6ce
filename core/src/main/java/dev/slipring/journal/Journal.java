// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.Message;
import dev.slipring.OutcomeUnknown;
import dev.slipring.RingFull;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Store;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What this process writes to a ring: one writer at a time, who writes what all have pushed
 * meanwhile. A thread that waits for its push writes itself if nobody does, so one alone needs no
 * other thread; for pushes that nobody waits for there is a thread of the journal's own.
 *
 * <pre>
 *     push --&gt;+
 *     push --&gt;+--&gt; intake --&gt; writer --&gt; store, one transaction
 *     push --&gt;+                 |
 *       ^                       |
 *       +------ durable --------+
 * </pre>
 */
public final class Journal implements AutoCloseable {

    /** A transaction that large is not made larger. */
    private static final long MAX_BYTES = 4 << 20;

    private static final int MAX_MESSAGES = 16_384;
    private static final long FIRST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LAST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Store store;
    private final String ring;
    private final Signal signal;
    private final Watcher watcher;
    private final Intake intake;
    private final Producer producer;
    private final ReentrantLock writing = new ReentrantLock();
    private final Deque<Entry> pending = new ArrayDeque<>();
    private long pause;
    private volatile Thread thread;
    private volatile boolean closing;
    private volatile boolean closed;

    /** An empty journal. */
    public Journal(
            Store store, String ring, int lanes, long maxBytes, Signal signal, Watcher watcher) {
        this.store = store;
        this.ring = ring;
        this.signal = signal;
        this.watcher = watcher;
        this.intake = new Intake(ring, maxBytes);
        this.producer = new Producer(store, ring, lanes);
    }

    /** Pushes messages and returns when all are durable, or throws when none is. */
    public void push(List<Message> messages, long timeoutNanos) {
        Entry entry = new Entry(messages, timeoutNanos, Thread.currentThread());
        intake.add(entry);
        boolean interrupted = false;
        while (!entry.isOver()) {
            if (writing.tryLock()) {
                try {
                    while (!entry.isOver()) {
                        interrupted |= step();
                    }
                } finally {
                    handOver();
                }
            } else {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        entry.durable.join();
    }

    /** Takes messages; completes when all are durable, or exceptionally when none is. */
    public CompletableFuture<Void> add(List<Message> messages, long timeoutNanos) {
        Entry entry = new Entry(messages, timeoutNanos, null);
        intake.add(entry);
        if (thread == null) {
            startThread();
        }
        if (!writing.isLocked()) {
            LockSupport.unpark(thread);
        }
        return entry.durable;
    }

    private synchronized void startThread() {
        if (thread == null && !closed) {
            Thread own = new Thread(this::run, "slipring-journal-" + ring);
            own.setDaemon(true);
            own.start();
            thread = own;
        }
    }

    /** Writes what nobody waits for, whenever nobody else writes. */
    private void run() {
        while (!closed) {
            try {
                writeAll();
            } catch (Error broken) {
                // Those in the group were told; this thread goes on for the next.
                watcher.storeFailed(new StoreFailed("a push to ring '" + ring + "' broke", broken));
            }
            LockSupport.park(this);
        }
    }

    private void writeAll() {
        writing.lock();
        try {
            while (hasWork()) {
                step();
            }
        } finally {
            handOver();
        }
    }

    /** Takes nothing more, writes what was taken, refuses what finds no room, and ends. */
    @Override
    public void close() {
        intake.close();
        closing = true;
        writing.lock();
        try {
            // What has its place but not yet its entry comes in a moment.
            while (hasWork() || intake.hasMore()) {
                step();
            }
        } finally {
            writing.unlock();
        }
        synchronized (this) {
            closed = true;
            LockSupport.unpark(thread);
        }
    }

    private boolean hasWork() {
        return !pending.isEmpty() || intake.first() != null;
    }

    /** Lets the next write: the thread that has waited longest, or the journal's own. */
    private void handOver() {
        do {
            Entry next = pending.isEmpty() ? intake.first() : pending.peek();
            writing.unlock();
            if (next != null) {
                LockSupport.unpark(next.owner == null ? thread : next.owner);
                return;
            }
            // Who came after the look and found the lock taken sleeps now, and relies on us.
        } while (intake.hasMore() && writing.tryLock());
    }

    /** Writes once, or waits a moment for room; returns whether the thread was interrupted. */
    private boolean step() {
        intake.drainTo(pending);
        long seen = signal.changes();
        if (pending.isEmpty() || write(firstEntries(MAX_MESSAGES, MAX_BYTES))) {
            pause = 0;
            return false;
        }
        // A worker of this process wakes us, or we look again by ourselves.
        pause = Math.min(Math.max(pause * 2, FIRST_LOOK_NANOS), LAST_LOOK_NANOS);
        try {
            signal.await(seen, pause);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /**
     * Writes entries in one transaction, or refuses them; returns false if nothing found room yet.
     */
    private boolean write(List<Entry> group) {
        long start = System.nanoTime();
        try {
            List<Message> messages = messagesOf(group);
            producer.push(messages);
            watcher.pushed(
                    messages.size(), group.stream().mapToLong(entry -> entry.bytes).sum(), start);
            end(group, null);
            signal.raise();
            return true;
        } catch (RingFull full) {
            return makeDo(group, full);
        } catch (OutcomeUnknown unknown) {
            watcher.storeFailed(unknown);
            end(group, unknown);
        } catch (SlipringException failed) {
            watcher.storeFailed(failed);
            end(group, failed);
        } catch (RuntimeException failed) {
            end(group, failed);
        } catch (Error broken) {
            // Callers must not wait for ever, whatever it was.
            end(group, new StoreFailed("the push to ring '" + ring + "' broke", broken));
            throw broken;
        }
        return true;
    }

    private static List<Message> messagesOf(List<Entry> group) {
        if (group.size() == 1) {
            return group.get(0).messages;
        }
        List<Message> messages = new ArrayList<>();
        group.forEach(entry -> messages.addAll(entry.messages));
        return messages;
    }

    /** There is not room for all: writes what fits, refuses what will not wait any longer. */
    private boolean makeDo(List<Entry> group, RingFull full) {
        if (group.size() > 1) {
            List<Entry> fitting = firstEntries(full.freeMessages(), full.freeBytes());
            return write(fitting.size() < group.size() ? fitting : fitting.subList(0, 1));
        }
        List<Entry> late =
                pending.stream()
                        .filter(entry -> closing || entry.isLate() || !producer.canEverFit(entry))
                        .toList();
        late.forEach(entry -> watcher.full(entry.messages.size()));
        end(late, full);
        return !late.isEmpty();
    }

    private List<Entry> firstEntries(long maxMessages, long maxBytes) {
        List<Entry> group = new ArrayList<>();
        long messages = 0;
        long bytes = 0;
        for (Entry entry : pending) {
            messages += entry.messages.size();
            bytes += producer.size(entry);
            if (!group.isEmpty() && (messages > maxMessages || bytes > maxBytes)) {
                break;
            }
            group.add(entry);
        }
        return group;
    }

    private void end(List<Entry> group, RuntimeException refusal) {
        for (Entry entry : group) {
            pending.remove(entry);
            intake.free(entry);
            entry.end(refusal);
        }
    }
}

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

/**
 * The one thread of this process that writes to a ring.
 *
 * <pre>
 *     push --&gt;+
 *     push --&gt;+--&gt; intake --&gt; journal --&gt; store, one transaction
 *     push --&gt;+                  |
 *       ^                        |
 *       +------- durable --------+
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
    private final int lanes;
    private final Signal signal;
    private final Watcher watcher;
    private final Intake intake;
    private final Producer producer;
    private final Thread thread;
    private final Deque<Entry> pending = new ArrayDeque<>();

    /** A journal whose thread runs. */
    public Journal(
            Store store, String ring, int lanes, long maxBytes, Signal signal, Watcher watcher) {
        this.store = store;
        this.ring = ring;
        this.lanes = lanes;
        this.signal = signal;
        this.watcher = watcher;
        this.intake = new Intake(ring, maxBytes);
        this.producer = new Producer(store, ring, lanes);
        this.thread = new Thread(this::run, "slipring-journal-" + ring);
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes messages; completes when all are durable, or exceptionally when none is. */
    public CompletableFuture<Void> add(List<Message> messages, long timeoutNanos) {
        Entry entry = new Entry(messages, timeoutNanos);
        intake.add(entry);
        return entry.durable;
    }

    /** Takes nothing more, writes what was taken, and ends. */
    @Override
    public void close() {
        intake.close();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            long look = 0;
            while (intake.drainTo(pending, pending.isEmpty() ? Intake.LOOK_NANOS : 0)) {
                long seen = signal.changes();
                look =
                        pending.isEmpty() || write(firstEntries(MAX_MESSAGES, MAX_BYTES))
                                ? 0
                                : look(seen, look);
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            // Nobody interrupts this thread; whatever it was, callers must not wait for ever.
            intake.close();
            refuse(
                    new ArrayList<>(pending),
                    new StoreFailed("the journal of ring '" + ring + "' broke", e));
            throw new IllegalStateException("the journal of ring '" + ring + "' broke", e);
        }
    }

    /** Waits for room: woken by a worker of this process, or looks again by itself. */
    private long look(long seen, long last) throws InterruptedException {
        long nanos = Math.min(Math.max(last * 2, FIRST_LOOK_NANOS), LAST_LOOK_NANOS);
        signal.await(seen, nanos);
        return nanos;
    }

    /**
     * Writes entries in one transaction, or refuses them; returns false if nothing found room yet.
     */
    private boolean write(List<Entry> group) {
        long start = System.nanoTime();
        List<Message> messages = new ArrayList<>();
        group.forEach(entry -> messages.addAll(entry.messages));
        try {
            producer.push(messages);
            watcher.pushed(
                    messages.size(), group.stream().mapToLong(entry -> entry.bytes).sum(), start);
            finish(group);
            signal.raise();
            return true;
        } catch (RingFull full) {
            return makeDo(group, full);
        } catch (OutcomeUnknown unknown) {
            watcher.storeFailed(unknown);
            refuse(group, unknown);
        } catch (SlipringException failed) {
            watcher.storeFailed(failed);
            refuse(group, failed);
        } catch (RuntimeException failed) {
            refuse(group, failed);
        }
        return true;
    }

    /** There is not room for all: writes what fits, refuses what will not wait any longer. */
    private boolean makeDo(List<Entry> group, RingFull full) {
        if (group.size() > 1) {
            List<Entry> fitting = firstEntries(full.freeMessages(), full.freeBytes());
            return write(fitting.size() < group.size() ? fitting : fitting.subList(0, 1));
        }
        List<Entry> late =
                pending.stream()
                        .filter(entry -> entry.isLate() || !producer.canEverFit(entry))
                        .toList();
        late.forEach(entry -> watcher.full(entry.messages.size()));
        refuse(late, full);
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

    private void finish(List<Entry> group) {
        for (Entry entry : group) {
            pending.remove(entry);
            intake.free(entry);
            entry.durable.complete(null);
        }
    }

    private void refuse(List<Entry> group, RuntimeException why) {
        for (Entry entry : group) {
            pending.remove(entry);
            intake.free(entry);
            entry.durable.completeExceptionally(why);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.Message;
import dev.slipring.RingFull;
import dev.slipring.engine.BetweenTries;
import dev.slipring.engine.Store;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gathers what the threads of this process push to a ring, and writes it in groups. One thread at a
 * time is the writer: it writes in one transaction what all have pushed since the last one. A
 * thread that waits for its push becomes the writer if there is none, so a single thread needs no
 * other. Pushes that nobody waits for are written by a thread of the journal's own.
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

    private static final long FIRST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LAST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** What broke may be short of something, and is given a moment. */
    private static final long BROKEN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String ring;
    private final Signal signal;
    private final Watcher watcher;
    private final Intake intake;
    private final Writer writer;
    private final Detour detour;
    private final Company company = new Company(System::nanoTime);
    private final ReentrantLock writing = new ReentrantLock();
    private final Deque<Entry> pending = new ArrayDeque<>();

    /** Lanes that the writer found kept since it last wrote anything. */
    private final Set<Integer> foundKept = new TreeSet<>();

    private final Teller teller;
    private long pause;
    private volatile Thread thread;
    private volatile boolean closing;
    private volatile boolean closed;

    /** An empty journal. */
    public Journal(
            Store store, String ring, int lanes, long maxBytes, Signal signal, Watcher watcher) {
        this.ring = ring;
        this.signal = signal;
        this.watcher = watcher;
        this.intake = new Intake(ring, maxBytes);
        this.writer = new Writer(store, ring, lanes, intake, signal, watcher, this::ended);
        Writer other = new Writer(store, ring, lanes, intake, signal, watcher, this::ended);
        this.detour = new Detour(ring, lanes, other);
        this.teller = new Teller(ring);
    }

    /**
     * Refuses a call by a listener that is being told of a push: the push ends only after the
     * listener returns.
     */
    public void refuseListener(String what) {
        if (writing.isHeldByCurrentThread() || detour.isServedHere()) {
            throw new IllegalStateException(
                    "a listener that hears of a push to ring '"
                            + ring
                            + "' must not "
                            + what
                            + " meanwhile; let another thread do that");
        }
    }

    /** Pushes messages and returns when all are durable, or throws when none is. */
    public void push(List<Message> messages, long timeoutNanos) {
        refuseListener("push");
        Entry entry = new Entry(messages, timeoutNanos, Thread.currentThread());
        take(entry);
        boolean interrupted = false;
        while (!entry.isOver()) {
            if (!entry.isDiverted() && writing.tryLock()) {
                try {
                    while (!entry.isOver() && !entry.isDiverted()) {
                        // It writes for others too: this interrupt is not theirs.
                        interrupted |= Thread.interrupted();
                        interrupted |= stepOn();
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
        entry.tell();
        entry.durable.join();
    }

    /**
     * Takes messages. The result completes when all are durable, or exceptionally when none is. It
     * completes on a thread that does not write, so that what follows keeps no push waiting; or on
     * the calling thread, if the journal had no room for the messages in time.
     */
    public CompletableFuture<Void> add(List<Message> messages, long timeoutNanos) {
        refuseListener("push");
        Entry entry = new Entry(messages, timeoutNanos, null);
        if (thread == null) {
            // Where the system has no thread to give, nothing was taken.
            startThread();
        }
        try {
            take(entry);
        } catch (RingFull full) {
            return CompletableFuture.failedFuture(full);
        }
        if (!writing.isLocked()) {
            LockSupport.unpark(thread);
        }
        return entry.durable;
    }

    private void take(Entry entry) {
        try {
            intake.add(entry);
        } catch (RingFull full) {
            watcher.full(entry.messages.size());
            throw full;
        }
    }

    /**
     * Waits until what was taken before is durable or refused; what comes later is not waited for.
     *
     * @param deadlineNanos until when, by {@link System#nanoTime}
     * @return whether that came about in time
     */
    public boolean await(long deadlineNanos) throws InterruptedException {
        if (intake.isIdle()) {
            return true;
        }
        refuseListener("drain it");
        long last = intake.placed();
        if (!writing.tryLock(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        List<Entry> before;
        try {
            intake.drainTo(pending);
            // A thread may have a place and not have put its entry there yet; until it does, the
            // entries behind it are hidden.
            while (!intake.hasTaken(last)) {
                if (deadlineNanos - System.nanoTime() <= 0) {
                    return false;
                }
                Thread.yield();
                intake.drainTo(pending);
            }
            before = new ArrayList<>(pending);
            before.addAll(detour.all());
        } finally {
            handOver();
        }
        long seen = signal.changes();
        while (!before.stream().allMatch(Entry::isOver)) {
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            // The signal does not tell of refusals.
            signal.await(seen, Math.min(left, LAST_LOOK_NANOS));
            seen = signal.changes();
        }
        return true;
    }

    private synchronized void startThread() {
        if (thread == null && !closed) {
            Thread own = new Thread(this::run, "slipring-journal-" + ring);
            own.setDaemon(true);
            // Set before the thread looks for the first time: from then on a writer may have to
            // wake it.
            thread = own;
            boolean started = false;
            try {
                own.start();
                started = true;
            } finally {
                // The system may have no thread to give; the next who comes asks again.
                thread = started ? own : null;
            }
        }
    }

    /** Writes what nobody waits for, whenever nobody else writes. */
    private void run() {
        while (!closed) {
            while (writeSome()) {
                // Until nothing is left, or somebody else writes.
            }
            // A listener may leave an interrupt, which is not for this.
            Thread.interrupted();
            LockSupport.park(this);
        }
    }

    private boolean writeSome() {
        if (!writing.tryLock()) {
            // The writer wakes this thread if anything is left.
            return false;
        }
        try {
            boolean some = hasWork();
            if (some) {
                stepOn();
            }
            return some;
        } finally {
            handOver();
        }
    }

    /**
     * An entry is over. A thread that waits for it has been woken; a caller who does not wait is
     * told.
     */
    private void ended(Entry entry) {
        if (entry.owner == null) {
            teller.add(entry);
        }
    }

    @Override
    public void close() {
        close(false);
    }

    /**
     * Takes nothing more, writes what was taken, refuses what finds no room, and ends.
     *
     * @param dropped whether the ring is not there any more, which those who push later are told
     */
    public void close(boolean dropped) {
        refuseListener("close the ring");
        intake.close(dropped);
        closing = true;
        writing.lock();
        try {
            // Where a thread has a place and has not put its entry there yet, it comes in a moment.
            while (hasWork() || intake.hasMore()) {
                stepOn();
            }
        } finally {
            writing.unlock();
        }
        detour.close();
        synchronized (this) {
            closed = true;
            LockSupport.unpark(thread);
        }
        teller.close();
    }

    private boolean hasWork() {
        return !pending.isEmpty() || intake.first() != null;
    }

    /** Makes another thread the writer: the one that has waited longest, or the journal's own. */
    private void handOver() {
        do {
            Entry next = pending.isEmpty() ? intake.first() : pending.peek();
            writing.unlock();
            if (next != null) {
                LockSupport.unpark(next.owner == null ? thread : next.owner);
                return;
            }
            // A thread that came after that look and found the lock taken is asleep now, and relies
            // on this one.
        } while (intake.hasMore() && writing.tryLock());
    }

    /**
     * Takes a step, and survives whatever breaks in it: the entries of the group have been refused,
     * the others go on waiting. If the thread left instead while its entry is not over, it would be
     * woken in vain when it is its turn to write.
     */
    private boolean stepOn() {
        try {
            return step();
        } catch (RuntimeException | Error broken) {
            // It may break again, no matter whose push is written: so nobody waits for longer than
            // its time-out.
            writer.refuseForFault(pending, closing, broken);
            pending.removeIf(Entry::isOver);
            BetweenTries.sleep(BROKEN_NANOS);
            return false;
        }
    }

    /** Writes once, or waits a moment; returns whether the thread was interrupted. */
    private boolean step() {
        intake.drainTo(pending);
        company.await(intake, pending);
        detour.take(pending);
        long seen = signal.changes();
        if (pending.isEmpty() || write()) {
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

    /** Writes what goes into one transaction, or refuses it; false if all have to wait. */
    private boolean write() {
        try {
            // Only the first kept lane is waited for: behind that there are other lanes to go to,
            // or the detour.
            Duration patience = foundKept.isEmpty() ? Writer.BRIEFLY : Duration.ZERO;
            List<Entry> group = writer.first(pending);
            company.writes(group);
            Set<Integer> kept = writer.write(group, patience);
            if (!kept.isEmpty()) {
                return makeWay(kept);
            }
            foundKept.clear();
            return true;
        } catch (RingFull full) {
            return writer.refuseForRoom(pending, closing, full);
        } finally {
            pending.removeIf(Entry::isOver);
        }
    }

    /**
     * Others keep lanes: entries that need one of those go to the detour. False if all that is left
     * has to wait.
     */
    private boolean makeWay(Set<Integer> kept) {
        foundKept.addAll(kept);
        Set<Integer> known = new TreeSet<>(foundKept);
        known.addAll(detour.kept());
        boolean some = detour.take(pending, kept);
        some |= writer.avoid(known) || writer.avoid(foundKept);
        if (some) {
            return true;
        }
        Collection<Entry> late =
                pending.stream().filter(entry -> closing || entry.isLate()).toList();
        boolean refused = writer.refuseForLanes(late, Set.copyOf(foundKept));
        // Each lane has its turn again: it may be free by now.
        foundKept.clear();
        return refused;
    }
}

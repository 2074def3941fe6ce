// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.NoSuchRing;
import dev.slipring.engine.Log;
import dev.slipring.engine.Slot;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Has segments and pages emptied, so that they are used again: each time after a certain amount of
 * work on a ring, in transactions of its own, for which nobody waits as long as they keep up. Any
 * thread.
 */
final class Tidy implements AutoCloseable {

    /** How many bytes of work pass between two looks at least; each takes the server 1 ms. */
    private static final long OFTEN = 2 << 20;

    /** How many at most. */
    private static final long SELDOM = 8 << 20;

    /** A segment has a quarter of a ring's bytes within bounds, and is looked at 8 times. */
    private static final long LOOKS = 4 * 8;

    /**
     * After so many bytes the thread that pushes does it itself: else a segment would grow without
     * bound.
     */
    private static final long LATE = 16 << 20;

    private static final long PER_SLOT = 512;

    /** How long at least from one look because of a refused push to the next. */
    private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long FOLD_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long FOLD_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Connections connections;
    private final ConcurrentMap<String, Work> work = new ConcurrentHashMap<>();

    /** Until when ({@link System#nanoTime}) rings are looked at that somebody found full. */
    private final ConcurrentMap<String, Long> foldsUntil = new ConcurrentHashMap<>();

    /** When ({@link System#nanoTime}) a push was refused that had a ring looked at for it. */
    private final ConcurrentMap<String, Long> refusals = new ConcurrentHashMap<>();

    /** Whether the last look failed: of many in a row the first is told. */
    private volatile boolean failing;

    private final Errand errand = new Errand("slipring-tidy", this::tidyAll);

    /** What was done on a ring since somebody looked at it last. */
    private static final class Work {

        private final AtomicLong bytes = new AtomicLong();
        private volatile long every = OFTEN;
    }

    Tidy(Connections connections) {
        this.connections = connections;
    }

    /** A ring holds so many bytes. */
    void sized(String ring, long bytes) {
        work(ring).every = every(bytes);
    }

    /** After how many bytes of work a ring that holds so many is looked at. */
    static long every(long bytes) {
        return Math.min(Math.max(bytes / LOOKS, OFTEN), SELDOM);
    }

    /** Slots were pushed in a transaction of ours. */
    void pushed(String ring, List<Slot> slots) {
        Work on = work(ring);
        if (on.bytes.addAndGet(bytes(slots)) >= LATE) {
            tidy(ring, on, LATE);
        } else {
            askFor(on);
        }
    }

    /** Slots were pushed in a caller's transaction, which is not to wait for this. */
    void pushedByCaller(String ring, List<Slot> slots) {
        done(ring, bytes(slots));
    }

    /** Slots with so many bytes were claimed here that others had pushed. */
    void claimed(String ring, long bytes) {
        done(ring, bytes);
    }

    void settled(String ring) {
        done(ring, PER_SLOT);
    }

    private static long bytes(List<Slot> slots) {
        return slots.stream().mapToLong(slot -> slot.body().length + PER_SLOT).sum();
    }

    private void done(String ring, long bytes) {
        Work on = work(ring);
        on.bytes.addAndGet(bytes);
        askFor(on);
    }

    private Work work(String ring) {
        return work.computeIfAbsent(ring, any -> new Work());
    }

    private void askFor(Work on) {
        if (on.bytes.get() >= on.every) {
            errand.ask();
        }
    }

    /**
     * An open transaction found a ring full, perhaps because of what rolled-back transactions left
     * in the lane that it keeps. That is taken back once it has ended.
     */
    void foldSoon(String ring) {
        foldsUntil.put(ring, System.nanoTime() + FOLD_NANOS);
        errand.ask();
    }

    /**
     * A push found a ring full, perhaps of what nobody holds any more since the last look. If
     * nobody pushes or works there, nothing else would bring another look.
     */
    void refused(String ring) {
        long now = System.nanoTime();
        Long before = refusals.get(ring);
        if (before == null || now - before > REFUSED_NANOS) {
            refusals.put(ring, now);
            Work on = work(ring);
            on.bytes.accumulateAndGet(on.every, Math::max);
            errand.ask();
        }
    }

    /** Forgets a ring. */
    void forget(String ring) {
        work.remove(ring);
        refusals.remove(ring);
        foldsUntil.remove(ring);
    }

    private long tidyAll() {
        work.forEach((ring, on) -> tidy(ring, on, on.every));
        if (foldsUntil.isEmpty()) {
            return 0;
        }
        foldsUntil.keySet().forEach(ring -> call("SELECT slipring.fold_ring(?)", ring));
        foldsUntil.values().removeIf(until -> System.nanoTime() - until > 0);
        errand.ask();
        return FOLD_EVERY_NANOS;
    }

    private void tidy(String ring, Work on, long least) {
        if (on.bytes.get() < least || on.bytes.getAndSet(0) < least) {
            return;
        }
        call("SELECT slipring.tidy(?)", ring);
    }

    /** What is lost of this with the server is done again, and a standby may be away for long. */
    private void call(String function, String ring) {
        try {
            connections.call(
                    statements -> {
                        statements.call(function + Calls.RELAXED, ring);
                        return null;
                    });
            failing = false;
        } catch (NoSuchRing dropped) {
            forget(ring);
        } catch (RuntimeException e) {
            // What was asked is done, whatever this met; somebody will look again.
            Level level = failing ? Level.DEBUG : Level.WARNING;
            Log.write(level, "segments of " + ring + " were not looked at", e);
            failing = true;
        }
    }

    @Override
    public void close() {
        errand.close();
    }
}

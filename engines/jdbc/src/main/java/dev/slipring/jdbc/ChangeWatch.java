// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.SlipringException;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Calls listeners back when somebody may have changed a ring, as long as somebody listens: asks the
 * server again and again, often while there is something going on and less often when it is quiet.
 */
final class ChangeWatch {

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * A look that takes long is taken seldom: at most one part in so many of the time. It is at all
     * rings of the database, so with thousands of them changes are heard of later, up to {@link
     * #MOST_NANOS}.
     */
    private static final int LOOKS_SHARE = 20;

    /** How long to wait at most, however long a look takes. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final System.Logger LOG = System.getLogger(ChangeWatch.class.getName());

    private final JdbcTransactor transactor;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private Thread thread;
    private final AtomicBoolean hasNew = new AtomicBoolean();
    private long seen;
    private boolean failing;

    ChangeWatch(JdbcTransactor transactor) {
        this.transactor = transactor;
    }

    /** Somebody who wants to know. Not the runnable itself, which may listen twice. */
    private record Listener(Runnable call, Object identity) {

        void hear() {
            try {
                call.run();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.WARNING, "a listener failed", e);
            }
        }
    }

    /** Calls back until the result is closed. */
    synchronized AutoCloseable listen(Runnable call) {
        Listener listener = new Listener(call, new Object());
        listeners.add(listener);
        // It has looked before it listens: what came between is seen, and is news to it.
        hasNew.set(true);
        if (thread == null) {
            thread = new Thread(this::watch, "slipring-jdbc-watch");
            thread.setDaemon(true);
            thread.start();
        }
        return () -> listeners.remove(listener);
    }

    /** Forgets all listeners. */
    void close() {
        listeners.clear();
    }

    private void watch() {
        long pause = FIRST_NANOS;
        long before = 0;
        try {
            while (goesOn()) {
                long start = System.nanoTime();
                boolean changed = look();
                long took = System.nanoTime() - start;
                if (changed) {
                    listeners.forEach(Listener::hear);
                }
                pause = changed ? FIRST_NANOS : Math.min(pause + pause / 8, LAST_NANOS);
                // One that took long by chance is not charged for.
                TimeUnit.NANOSECONDS.sleep(pauseNanos(pause, Math.min(took, before)));
                before = took;
            }
        } catch (InterruptedException e) {
            LOG.log(Level.WARNING, "the watch of a server was interrupted and has ended", e);
        } finally {
            ended();
        }
    }

    /**
     * How long to wait before the next look.
     *
     * @param wanted by what goes on
     * @param took how long the last look took
     */
    static long pauseNanos(long wanted, long took) {
        return Math.max(wanted, Math.min(LOOKS_SHARE * took, MOST_NANOS));
    }

    private boolean look() {
        boolean changed = hasNew.getAndSet(false);
        long[] now = {0};
        try {
            transactor.ask(
                    new Script()
                            .read(
                                    "SELECT (SELECT COALESCE(SUM(turn), 0) FROM slipring_lane)"
                                            + " + (SELECT COALESCE(SUM(moves), 0)"
                                            + " FROM slipring_gate)"
                                            + " + (SELECT COALESCE(SUM(version), 0)"
                                            + " FROM slipring_ring)",
                                    row -> now[0] = row.getLong(1)));
        } catch (SlipringException e) {
            // The server is away; whoever works with it is told, and this asks again.
            hasNew.compareAndSet(false, changed);
            return false;
        } catch (RuntimeException | Error e) {
            // Those who listen would wait for ever; a fault that stays is told once.
            LOG.log(failing ? Level.DEBUG : Level.WARNING, "the watch of a server failed", e);
            failing = true;
            hasNew.compareAndSet(false, changed);
            return false;
        }
        failing = false;
        changed |= now[0] != seen;
        seen = now[0];
        return changed;
    }

    /** Whoever listens next starts a new thread, however this one ended. */
    private synchronized void ended() {
        if (thread == Thread.currentThread()) {
            thread = null;
        }
    }

    /** Whether anybody listens; if not, the next who comes starts a new thread. */
    private synchronized boolean goesOn() {
        if (listeners.isEmpty()) {
            thread = null;
            return false;
        }
        return true;
    }
}

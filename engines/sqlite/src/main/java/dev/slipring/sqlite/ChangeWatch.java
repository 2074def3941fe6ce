// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Calls listeners back when another process may have changed the file, as long as somebody listens.
 * While others are at work one thread asks SQLite again and again; when they have been quiet for a
 * while it sleeps until the file stirs.
 */
final class ChangeWatch {

    private static final long LOOK_NANOS = 4_000_000;
    private static final long LIVELY_NANOS = 1_000_000_000;
    private static final System.Logger LOG = System.getLogger(ChangeWatch.class.getName());

    private final Stir stir;
    private final BooleanSupplier changed;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private Thread thread;
    private boolean failing;

    ChangeWatch(Path file, BooleanSupplier changed) {
        this.stir = new Stir(file);
        this.changed = changed;
    }

    /**
     * Somebody who wants to know. Not the runnable itself, which may listen twice.
     *
     * @param call what to call
     */
    private static final class Listener {

        private final Runnable call;

        Listener(Runnable call) {
            this.call = call;
        }

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
        if (thread == null) {
            Thread own = new Thread(this::watch, "slipring-sqlite-watch");
            own.setDaemon(true);
            own.start();
            thread = own;
        }
        Listener listener = new Listener(call);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Forgets all listeners. */
    void close() {
        listeners.clear();
    }

    private void watch() {
        long heard = System.nanoTime();
        try {
            while (goesOn()) {
                if (look()) {
                    heard = System.nanoTime();
                }
                if (System.nanoTime() - heard < LIVELY_NANOS) {
                    TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
                } else {
                    // Also where nothing stirs any more, it ends when nobody listens any more.
                    stir.sleep(() -> listeners.isEmpty() || look());
                    heard = System.nanoTime();
                }
            }
        } catch (InterruptedException e) {
            LOG.log(Level.WARNING, "the watch of a file was interrupted and has ended", e);
        } finally {
            ended();
        }
    }

    private boolean look() {
        boolean seen = false;
        try {
            seen = changed.getAsBoolean();
            failing = false;
        } catch (RuntimeException | Error e) {
            // Those who listen would wait for ever; a fault that stays is told once.
            LOG.log(failing ? Level.DEBUG : Level.WARNING, "the watch of a file failed", e);
            failing = true;
        }
        if (seen) {
            listeners.forEach(Listener::hear);
        }
        return seen;
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

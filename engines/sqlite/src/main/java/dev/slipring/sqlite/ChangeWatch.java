// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Calls listeners back when another process may have changed the file. SQLite tells nobody, so one
 * thread asks again and again, as long as somebody listens: often after it heard something, else
 * less, since each look costs some 0.1 ms of a core, most of it for waking up.
 */
final class ChangeWatch {

    private static final long SHORT_NANOS = 4_000_000;
    private static final long LONG_NANOS = 30_000_000;
    private static final long LIVELY_NANOS = 1_000_000_000;
    private static final System.Logger LOG = System.getLogger(ChangeWatch.class.getName());

    private final BooleanSupplier changed;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private Thread thread;

    ChangeWatch(BooleanSupplier changed) {
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
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "a listener failed", e);
            }
        }
    }

    /** Calls back until the result is closed. */
    synchronized AutoCloseable listen(Runnable call) {
        Listener listener = new Listener(call);
        listeners.add(listener);
        if (thread == null) {
            thread = new Thread(this::watch, "slipring-sqlite-watch");
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
        long heard = System.nanoTime();
        while (goesOn()) {
            if (changed.getAsBoolean()) {
                heard = System.nanoTime();
                listeners.forEach(Listener::hear);
            }
            boolean lively = System.nanoTime() - heard < LIVELY_NANOS;
            LockSupport.parkNanos(lively ? SHORT_NANOS : LONG_NANOS);
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

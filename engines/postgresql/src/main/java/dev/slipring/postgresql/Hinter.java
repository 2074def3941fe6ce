// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.SlipringException;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells other processes that something changed, in transactions of its own: many changes with one
 * hint, and with a notification only where somebody sleeps. Any thread.
 */
final class Hinter implements AutoCloseable {

    private static final long HEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long UNHEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Connections connections;
    private long told;
    private volatile boolean dirty;
    private volatile boolean closed;
    private volatile Thread thread;

    Hinter(Connections connections) {
        this.connections = connections;
    }

    /** Something changed. */
    void changed() {
        if (dirty) {
            return;
        }
        dirty = true;
        if (thread == null) {
            start();
        }
        LockSupport.unpark(thread);
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            Thread own = new Thread(this::run, "slipring-hints");
            own.setDaemon(true);
            own.start();
            thread = own;
        }
    }

    private void run() {
        while (!closed) {
            if (!dirty) {
                LockSupport.park(this);
                continue;
            }
            dirty = false;
            LockSupport.parkNanos(hint() ? HEARD_NANOS : UNHEARD_NANOS);
        }
    }

    /** How often this process has told others; exact for who synchronizes on this. */
    synchronized long told() {
        return told;
    }

    private synchronized boolean hint() {
        try {
            told++;
            return connections.alone(
                    statements ->
                            statements.first("SELECT slipring.hint()", row -> row.getBoolean(1)));
        } catch (SlipringException e) {
            // It is only a hint; who waits looks by itself.
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread own = thread;
        LockSupport.unpark(own);
        if (own != null) {
            try {
                own.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

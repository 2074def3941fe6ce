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

    private static final long HEARD_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long UNHEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long it is taken for granted whether others listen, beside this process. */
    private static final long KNOWN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Connections connections;
    private volatile Integer listener;
    private long askedAt = System.nanoTime() - KNOWN_NANOS;
    private boolean heard;
    private long told;
    private volatile boolean dirty;
    private volatile boolean closed;
    private volatile Thread thread;

    Hinter(Connections connections) {
        this.connections = connections;
    }

    /** The session that listens for this process; null if none does. */
    void listener(Integer session) {
        listener = session;
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
            pause(hint() ? HEARD_NANOS : UNHEARD_NANOS);
        }
    }

    /** Waits out the time, whatever changes meanwhile. */
    private void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        long left = nanos;
        while (!closed && left > 0) {
            LockSupport.parkNanos(this, left);
            left = until - System.nanoTime();
        }
    }

    /** How often this process has told others; exact for who synchronizes on this. */
    synchronized long told() {
        return told;
    }

    /** Tells; returns whether others are known to listen. */
    private synchronized boolean hint() {
        boolean asks = System.nanoTime() - askedAt >= KNOWN_NANOS;
        Integer beside = asks ? listener : null;
        try {
            told++;
            boolean listened =
                    connections.alone(
                            statements ->
                                    statements.first(
                                            "SELECT slipring.hint(?::int)",
                                            row -> row.getBoolean(1),
                                            beside));
            if (asks) {
                heard = listened;
                askedAt = System.nanoTime();
            }
            return listened && heard;
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

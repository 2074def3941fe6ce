// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.SlipringException;

import java.util.concurrent.TimeUnit;

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
    private final Errand errand;

    Hinter(Connections connections) {
        this.connections = connections;
        errand = new Errand("slipring-hints", () -> hint() ? HEARD_NANOS : UNHEARD_NANOS);
    }

    /** The session that listens for this process; null if none does. */
    void listener(Integer session) {
        listener = session;
    }

    /** Something changed. */
    void changed() {
        errand.ask();
    }

    /** How often this process has told others; exact for a thread that synchronizes on this. */
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
            // It is only a hint: whoever waits looks without one, too.
            return false;
        }
    }

    @Override
    public void close() {
        errand.close();
    }
}

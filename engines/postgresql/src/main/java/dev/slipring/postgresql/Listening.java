// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.SlipringException;

import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How processes hear of each other. Who waits holds a shared lock and listens; who changes
 * something tries for the lock alone, and notifies only if it fails. A hint: behind a pooler that
 * loses it, who waits looks by itself, at first often and then seldom.
 */
final class Listening implements AutoCloseable {

    /** The lock, and the name of the channel. */
    private static final String LOCK = "hashtextextended('slipring listens', 7157)";

    private static final int LOOK_MILLIS = 250;
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Connections connections;
    private final List<Runnable> hearers = new CopyOnWriteArrayList<>();
    private final Hinter hinter;
    private volatile boolean closed;
    private Thread thread;

    Listening(Connections connections) {
        this.connections = connections;
        this.hinter = new Hinter(connections);
    }

    /** Calls back when something may have changed. */
    synchronized AutoCloseable listen(Runnable changed) {
        hearers.add(changed);
        if (thread == null) {
            thread = new Thread(this::run, "slipring-listens");
            thread.setDaemon(true);
            thread.start();
        }
        return () -> hearers.remove(changed);
    }

    /** Tells others soon, if anybody waits. */
    void changed() {
        hinter.changed();
    }

    private void run() {
        while (!closed) {
            try (Connection connection = connections.connect()) {
                hear(connection);
            } catch (SQLException | SqlFailed | SlipringException e) {
                LockSupport.parkNanos(LOST_NANOS);
            }
            hearers.forEach(Runnable::run);
        }
    }

    private void hear(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        Statements statements = new Statements(connection);
        statements.call("SELECT pg_advisory_lock_shared(" + LOCK + ")");
        try {
            statements.run("LISTEN slipring");
            hearers.forEach(Runnable::run);
            PGConnection driver = connection.unwrap(PGConnection.class);
            while (!closed) {
                PGNotification[] heard = driver.getNotifications(LOOK_MILLIS);
                if (heard != null) {
                    hearers.forEach(Runnable::run);
                }
            }
        } finally {
            statements.run("UNLISTEN *");
            statements.call("SELECT pg_advisory_unlock_shared(" + LOCK + ")");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        hinter.close();
        hearers.clear();
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

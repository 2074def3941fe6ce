// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.StoreUnreachable;
import dev.slipring.engine.Hearers;
import dev.slipring.engine.Log;
import dev.slipring.engine.Uninterrupted;
import dev.slipring.sql.Lent;

import org.postgresql.PGConnection;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How processes hear of each other. Whoever changes something counts up a sequence. A process that
 * waits looks at the sequence very often while there is news. After a while without news it says
 * that it sleeps, and only then is it notified, since a commit that notifies is expensive. Behind a
 * pooler it only looks.
 */
final class Listening implements AutoCloseable {

    private static final String LISTENS = "pg_catalog.hashtextextended('slipring listens', 7157)";
    private static final String SLEEPS = "pg_catalog.hashtextextended('slipring sleeps', 7157)";
    private static final String NEWS = "SELECT pg_catalog.pg_sequence_last_value('slipring.news')";

    /** How long after the last news somebody still looks for more. */
    private static final long AWAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Between two looks where all the news is this process's own. */
    private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int SLEEP_MILLIS = 250;

    /** Between two looks of one who is not notified. */
    private static final long UNTOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Connections connections;
    private final Hearers hearers = new Hearers();
    private final Hinter hinter;
    private volatile boolean closed;
    private Thread thread;

    /** What was seen last: all news, and that of others. */
    private long news;

    private boolean failing;
    private long foreign;
    private long foreignAt = System.nanoTime();

    Listening(Connections connections) {
        this.connections = connections;
        this.hinter = new Hinter(connections);
    }

    /** Calls back when something may have changed. */
    synchronized AutoCloseable listen(Runnable changed) {
        if (thread == null) {
            Thread own = new Thread(this::run, "slipring-listens");
            own.setDaemon(true);
            // The system may have no thread to give; the next who listens asks again.
            own.start();
            thread = own;
        }
        return hearers.add(changed);
    }

    /** Tells others soon, if anybody waits. */
    void changed() {
        hinter.changed();
    }

    private void run() {
        while (!closed) {
            try (Lent lent = connections.connect()) {
                hear(lent.connection());
            } catch (SQLException | RuntimeException | Error e) {
                // Whatever it was, this goes on: otherwise those who wait here would never hear of
                // others again.
                failed(e);
                LockSupport.parkNanos(LOST_NANOS);
            }
            hearers.tell();
        }
    }

    /** A server that is away is told by whoever works with it. */
    private void failed(Throwable why) {
        boolean isAway =
                why instanceof StoreUnreachable
                        || why instanceof SqlFailed failure && failure.isUnreachable()
                        || why instanceof SQLException e && new SqlFailed(e).isUnreachable();
        Level level = isAway || failing || closed ? Level.DEBUG : Level.WARNING;
        Log.write(level, "what other programs do is heard of up to a second late", why);
        failing = true;
    }

    private void hear(Connection connection) throws SQLException {
        Statements statements = new Statements(connection);
        PGConnection driver = connection.unwrap(PGConnection.class);
        int session = (int) statements.number("SELECT pg_catalog.pg_backend_pid()").orElseThrow();
        if (session != driver.getBackendPID()) {
            lookOnly(statements);
        } else if (shares(statements, LISTENS)) {
            listen(statements, driver, session);
        }
    }

    /**
     * Behind a pooler, which has told the driver of another session: a lock or a LISTEN would stay
     * in one that others get.
     */
    private void lookOnly(Statements statements) {
        while (!closed) {
            lookWhileThereIsNews(statements);
            while (!closed && !look(statements)) {
                LockSupport.parkNanos(UNTOLD_NANOS);
            }
        }
    }

    private void listen(Statements statements, PGConnection driver, int session)
            throws SQLException {
        try {
            statements.run("LISTEN slipring");
            hinter.listener(session);
            look(statements);
            hearers.tell();
            while (!closed) {
                lookWhileThereIsNews(statements);
                sleep(statements, driver);
            }
        } finally {
            hinter.listener(null);
            leave(statements, "UNLISTEN *; " + unlock(LISTENS));
        }
    }

    /**
     * Leaves a session, or ends the connection if that fails: whoever got it next, with a lock or a
     * LISTEN in it, would be told of all news.
     */
    private static void leave(Statements statements, String last) {
        boolean left = false;
        try {
            statements.run(last);
            left = true;
        } finally {
            if (!left) {
                statements.abandon();
            }
        }
    }

    private static String unlock(String lock) {
        return "SELECT pg_catalog.pg_advisory_unlock_shared(" + lock + ")";
    }

    /** Takes a lock shared; false if this is closed before it is to be had. */
    private boolean shares(Statements statements, String lock) {
        String take = "SELECT pg_catalog.pg_try_advisory_lock_shared(" + lock + ")";
        // Mostly somebody has it who tells of news, and only for a moment.
        long pause = LOOK_NANOS;
        while (!closed) {
            if (statements.first(take, row -> row.getBoolean(1))) {
                return true;
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LOST_NANOS / 4);
        }
        return false;
    }

    private void lookWhileThereIsNews(Statements statements) {
        long last = System.nanoTime();
        while (!closed && System.nanoTime() - last < AWAKE_NANOS) {
            boolean alone = System.nanoTime() - foreignAt >= AWAKE_NANOS;
            LockSupport.parkNanos(alone ? ALONE_NANOS : LOOK_NANOS);
            if (look(statements)) {
                last = System.nanoTime();
            }
        }
    }

    /** Sleeps until there is news. */
    private void sleep(Statements statements, PGConnection driver) throws SQLException {
        driver.getNotifications();
        if (!shares(statements, SLEEPS)) {
            return;
        }
        try {
            while (!closed && !look(statements)) {
                driver.getNotifications(SLEEP_MILLIS);
            }
        } finally {
            leave(statements, unlock(SLEEPS));
        }
    }

    /** Calls back if there is news of others; returns whether there is any. */
    private boolean look(Statements statements) {
        long now;
        long others;
        synchronized (hinter) {
            now = statements.number(NEWS).orElse(0);
            others = now - hinter.told();
        }
        failing = false;
        boolean any = now != news;
        news = now;
        if (others != foreign) {
            foreign = others;
            foreignAt = System.nanoTime();
            hearers.tell();
        }
        return any;
    }

    @Override
    public synchronized void close() {
        closed = true;
        hinter.close();
        hearers.clear();
        if (thread != null) {
            Uninterrupted.awaitEnd(thread);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/**
 * Copies what is committed from the write-ahead log to the file, beside the writer, so that the
 * writer finds little left to copy when the log has come to its length and begins again. A thread
 * with a connection of its own, which sleeps while nothing is committed.
 */
final class Checkpointer implements AutoCloseable {

    private static final long LOOK_NANOS = 10_000_000;
    private static final long LIVELY_NANOS = 1_000_000_000;

    /** How many pages the log has when the writer copies the rest and begins again. */
    static final int LOG_PAGES = 4_000;

    /** Less is not worth the sync of the file, as a page that is written often is copied once. */
    private static final int LEAST_PAGES = 1_500;

    private static final int FEW_PAGES = 250;

    private static final System.Logger LOG = System.getLogger(Checkpointer.class.getName());

    private final Statements statements;
    private final Thread thread;
    private volatile long commits;
    private volatile boolean asleep;
    private volatile boolean closed;

    Checkpointer(Statements statements) {
        this.statements = statements;
        thread = new Thread(this::run, "slipring-sqlite-checkpoint");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** The writer has committed. Called by one thread at a time. */
    void committed() {
        commits = commits + 1;
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        long seen = -1;
        long lively = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            if (commits != seen) {
                seen = commits;
                lively = now;
                copy();
            }
            if (now - lively < LIVELY_NANOS) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            } else {
                sleep(seen);
            }
        }
    }

    private void sleep(long seen) {
        asleep = true;
        while (commits == seen && !closed) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    /** What fails here the writer does when its log is long enough, and says so then. */
    private void copy() {
        try {
            if (statements.first("PRAGMA wal_checkpoint(NOOP)", Checkpointer::isWorthIt)) {
                statements.number("PRAGMA wal_checkpoint(PASSIVE)");
            }
        } catch (SqlFailed e) {
            LOG.log(Level.DEBUG, "the log was not copied to the file", e);
        }
    }

    /** Near its end the log is copied in small steps, so that little is left for the writer. */
    private static boolean isWorthIt(ResultSet row) throws SQLException {
        int pages = row.getInt(2);
        int waiting = pages - row.getInt(3);
        boolean ending = pages > LOG_PAGES / 4 * 3 && pages < LOG_PAGES;
        return waiting >= (ending ? FEW_PAGES : LEAST_PAGES);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        statements.end();
    }
}

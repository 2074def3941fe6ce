// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.engine.Log;
import dev.slipring.engine.Uninterrupted;

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

    private final Statements statements;
    private final Thread thread;
    private boolean troubled;
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

    /**
     * Copies, and logs a failure. The same would fail for the writer, whose copying SQLite does
     * itself without telling; as the log grows then, somebody has to be told.
     */
    private void copy() {
        try {
            int[] log = statements.first("PRAGMA wal_checkpoint(NOOP)", Checkpointer::log);
            int pages = log[0];
            if (isWorthIt(pages, log[1])) {
                statements.number("PRAGMA wal_checkpoint(PASSIVE)");
            }
            tell(
                    pages > 2 * LOG_PAGES,
                    "the log has "
                            + pages
                            + " pages and grows: a transaction that reads is open for long, or a"
                            + " process that copies the log is stopped",
                    null);
        } catch (SqlFailed e) {
            tell(!e.isBusy(), "the log cannot be copied to the file, and grows", e);
        } catch (RuntimeException | Error broken) {
            // The writer copies too; this goes on with the next commit.
            tell(true, "the log was not copied to the file", broken);
        }
    }

    /** Once, until it is over. */
    private void tell(boolean trouble, String words, Throwable why) {
        if (trouble && !troubled) {
            Log.write(Level.WARNING, words, why);
        }
        troubled = trouble;
    }

    /** How many pages the log has, and how many of them are copied. */
    private static int[] log(ResultSet row) throws SQLException {
        return new int[] {row.getInt(2), row.getInt(3)};
    }

    /** Near its end the log is copied in small steps, so that little is left for the writer. */
    private static boolean isWorthIt(int pages, int copied) {
        int waiting = pages - copied;
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
        Uninterrupted.awaitEnd(thread);
        statements.end();
    }
}

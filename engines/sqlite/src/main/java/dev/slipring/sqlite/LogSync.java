// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.OutcomeUnknown;
import dev.slipring.StoreFailed;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * Brings the write-ahead log to the disk beside the writer. SQLite itself only writes it. A thread
 * that needs its commit on the disk waits here, while others go on writing. The first thread syncs
 * all that is committed by then; one that comes meanwhile waits for that, or syncs next (the group
 * commit of DeWitt et al., Implementation Techniques for Main Memory Database Systems, 1984).
 * Thread-safe.
 *
 * <p>The log is one file that is written in the order of the commits, so a loss of power takes back
 * the last of them only. After a sync that failed nobody knows what is on the disk, and all that is
 * asked is refused.
 */
final class LogSync implements AutoCloseable {

    private final LogFile log;

    /** Hears how many commits are on the disk, before those who wait for them do. */
    private final LongConsumer told;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    private boolean syncing;

    /** How many commits had to be on the disk so far; counted by the writer. */
    private volatile long wanted;

    /** How many of them are. */
    private volatile long synced;

    private volatile IOException failure;

    LogSync(LogFile log, LongConsumer told) {
        this.log = log;
        this.told = told;
    }

    /** The log as the disk has it. */
    interface LogFile extends AutoCloseable {

        /**
         * Opens the log if it is there, so that an open store needs no more files to sync it. To be
         * called while the database is open in a way that keeps the log from being removed.
         *
         * @throws StoreFailed if it cannot be opened
         */
        default void open() {}

        /** Waits until all that was written is on the disk. */
        void sync() throws IOException;

        /** Where it is, for words. */
        String name();

        @Override
        void close();
    }

    /** The last commit has to be on the disk. For the writer. */
    void want() {
        wanted = wanted + 1;
    }

    /** What {@link #await} is to be asked for: everything that was wanted so far. */
    long wanted() {
        return wanted;
    }

    boolean isSynced(long commit) {
        return synced >= commit;
    }

    /** Refuses everything after a sync that failed. */
    void check() {
        if (failure != null) {
            throw new StoreFailed(
                    what()
                            + " before; nothing was stored; look at the disk, then open the store"
                            + " anew ("
                            + failure.getMessage()
                            + ")",
                    failure);
        }
    }

    /**
     * Waits until a commit is on the disk. An interrupt does not end it.
     *
     * @throws OutcomeUnknown if the disk failed
     */
    void await(long commit) {
        if (isSynced(commit)) {
            return;
        }
        lock.lock();
        try {
            while (!isSynced(commit)) {
                if (failure != null) {
                    throw unknown();
                }
                if (syncing) {
                    over.awaitUninterruptibly();
                } else {
                    syncUnlocked();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void syncUnlocked() {
        long reached = wanted;
        boolean done = false;
        syncing = true;
        lock.unlock();
        try {
            log.sync();
            done = true;
        } catch (IOException e) {
            failure = e;
        } finally {
            lock.lock();
            syncing = false;
            synced = done ? reached : synced;
            told.accept(synced);
            over.signalAll();
        }
    }

    private String what() {
        return failure instanceof InterruptedIOException
                ? "nobody knows whether the disk kept " + log.name()
                : "the disk failed to keep " + log.name();
    }

    private OutcomeUnknown unknown() {
        return new OutcomeUnknown(
                what()
                        + ": what was asked may or may not be stored; look at the disk, then open"
                        + " the store anew ("
                        + failure.getMessage()
                        + ")",
                failure);
    }

    /**
     * Syncs what is still wanted, before the last connection may remove the log. For the writer.
     */
    @Override
    public void close() {
        try {
            await(wanted);
        } catch (OutcomeUnknown e) {
            // Those who wait for it are told.
            return;
        } finally {
            log.close();
        }
    }
}

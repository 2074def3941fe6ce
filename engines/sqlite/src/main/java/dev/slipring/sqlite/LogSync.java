// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.OutcomeUnknown;
import dev.slipring.StoreFailed;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Brings the write-ahead log to the disk after a commit, outside the write lock, so that others
 * write meanwhile; one call serves all who committed before it.
 *
 * <p>SQLite's own FULL does the same inside the lock. It is left to SQLite until the first durable
 * commit is through, which also brings the log's entry in its folder to the disk. Whatever leaves
 * the log for the database file does so by a checkpoint, which brings both to the disk by itself.
 * SQLite locks neither the log nor by it, so opening the log here takes no lock away.
 */
final class LogSync {

    private final Path file;
    private final boolean wanted;
    private final Statements statements;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong committed = new AtomicLong();
    private long synced;
    private FileChannel log;
    private volatile IOException broken;
    private String level = "";

    LogSync(Path file, Statements statements, boolean wanted) {
        this.file = file;
        this.statements = statements;
        this.wanted = wanted;
    }

    /** Before a transaction, under the write lock: who brings it to the disk. */
    void begin(boolean durable) {
        if (durable && broken != null) {
            throw new StoreFailed(words("has failed before; open the store again"), broken);
        }
        String now = wanted && committed.get() == 0 ? "FULL" : "NORMAL";
        if (!now.equals(level)) {
            level = "";
            statements.run("PRAGMA synchronous = " + now);
            level = now;
        }
    }

    /** After a commit, under the write lock; returns a ticket to wait with. */
    long committed() {
        return committed.incrementAndGet();
    }

    /** Returns when the commit with the ticket is on the disk. */
    void await(long ticket) {
        if (!wanted) {
            return;
        }
        lock.lock();
        try {
            if (synced < ticket) {
                long all = committed.get();
                force();
                synced = all;
            }
        } finally {
            lock.unlock();
        }
    }

    private void force() {
        boolean interrupted = Thread.interrupted();
        try {
            while (!forced()) {
                interrupted |= Thread.interrupted();
            }
        } catch (IOException e) {
            broken = e;
            throw new OutcomeUnknown(words("failed: " + e.getMessage()), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** False if an interrupt closed the log in the middle, which says nothing of the disk. */
    private boolean forced() throws IOException {
        try {
            if (log == null) {
                Path real = file.toRealPath();
                Path path = real.resolveSibling(real.getFileName() + "-wal");
                log = FileChannel.open(path, StandardOpenOption.WRITE);
            }
            log.force(false);
            return true;
        } catch (ClosedByInterruptException e) {
            log = null;
            return false;
        }
    }

    private String words(String what) {
        return "bringing the log of " + file + " to the disk " + what;
    }

    void close() {
        lock.lock();
        try {
            if (log != null) {
                log.close();
                log = null;
            }
        } catch (IOException e) {
            broken = e;
        } finally {
            lock.unlock();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file of a write-ahead log, open beside SQLite to be synced. SQLite keeps its locks on other
 * files, so none is lost when this one is closed. Used by one thread at a time.
 */
final class LogChannel implements LogSync.LogFile {

    private final Path file;
    private final Opener opener;

    private Handle handle;

    /**
     * Opened before the other was used last. The system tells each handle once, of those that were
     * open by then, that the disk refused a page: what a handle was told that Java closed in that
     * very moment, this one is told too.
     */
    private Handle twin;

    LogChannel(String database) {
        this(database, LogChannel::open);
    }

    /**
     * The log of a database.
     *
     * @param opener opens it
     */
    LogChannel(String database, Opener opener) {
        file = OpenFile.log(database);
        this.opener = opener;
    }

    /** The file, open. */
    interface Handle {

        /**
         * Waits until all that was written is on the disk.
         *
         * @throws ClosedByInterruptException if the thread was interrupted, whatever the disk said
         */
        void force() throws IOException;

        void close() throws IOException;
    }

    /** Opens a file to be synced. */
    interface Opener {

        Handle open(Path file) throws IOException;
    }

    @Override
    public void open() {
        try {
            handle = opener.open(file);
            twin = opener.open(file);
        } catch (NoSuchFileException e) {
            // It comes with the first commit.
            close();
        } catch (IOException e) {
            close();
            throw new StoreFailed(Unopened.words(file.toString()) + " (" + e.getMessage() + ")", e);
        }
    }

    private static Handle open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        return new Handle() {
            @Override
            public void force() throws IOException {
                channel.force(false);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    @Override
    public void sync() throws IOException {
        // Java closes a channel whose thread is interrupted: another syncs the same file.
        boolean interrupted = Thread.interrupted();
        try {
            while (!isForced()) {
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isForced() throws IOException {
        try {
            if (handle == null) {
                handle = opener.open(file);
            }
            if (twin == null) {
                twin = another();
            }
            handle.force();
            return true;
        } catch (ClosedByInterruptException e) {
            if (twin == null) {
                throw new InterruptedIOException(
                        "the thread was interrupted, and no second file can be opened to ask");
            }
            handle = twin;
            twin = null;
            return false;
        }
    }

    /**
     * There may be no more files to open for now; it is needed only if the thread is interrupted
     * then.
     */
    private Handle another() {
        try {
            return opener.open(file);
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public void close() {
        close(handle);
        close(twin);
        handle = null;
        twin = null;
    }

    private static void close(Handle open) {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // What had to be on the disk is there.
        }
    }

    @Override
    public String name() {
        return file.toString();
    }
}

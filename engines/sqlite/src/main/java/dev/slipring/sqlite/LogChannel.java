// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file of a write-ahead log, open beside SQLite to be synced. SQLite keeps its locks on other
 * files, so none is lost when this one is closed. Used by one thread at a time.
 */
final class LogChannel implements LogSync.LogFile {

    private final Path file;
    private FileChannel channel;

    LogChannel(String database) {
        file = OpenFile.log(database);
    }

    @Override
    public void sync() throws IOException {
        // Java closes a channel whose thread is interrupted: opened again, it syncs the same file.
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
            if (channel == null || !channel.isOpen()) {
                channel = FileChannel.open(file, StandardOpenOption.WRITE);
            }
            channel.force(false);
            return true;
        } catch (ClosedByInterruptException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // What had to be on the disk is there.
            return;
        }
    }

    @Override
    public String name() {
        return file.toString();
    }
}

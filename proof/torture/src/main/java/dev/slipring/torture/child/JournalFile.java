// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.torture.Ticks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a process tried and was told, in lines of a time and words. Each line is handed to the
 * operating system before the process goes on, so it outlives the process. Thread-safe.
 */
public final class JournalFile implements AutoCloseable {

    private final FileChannel file;

    /** Opens a new file. */
    public JournalFile(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** Writes a line under the time now. */
    public void write(String kind, Object... words) {
        writeAt(-1, kind, words);
    }

    /** Writes a line under a time. */
    synchronized void writeAt(long time, String kind, Object... words) {
        long at = time < 0 ? Ticks.now() : time;
        StringBuilder line = new StringBuilder(64).append(kind).append(' ').append(at);
        for (Object word : words) {
            line.append(' ').append(word);
        }
        ByteBuffer bytes =
                ByteBuffer.wrap(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes down what went wrong, in its own words. */
    public void trouble(Exception e) {
        String words = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        write("trouble", e.getClass().getSimpleName(), words);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

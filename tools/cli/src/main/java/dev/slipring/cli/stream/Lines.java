// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lines of any bytes: a line is what stands between two line feeds. A carriage return belongs to
 * its line. A last line without a line feed is a line too, unless it is empty.
 */
public final class Lines {

    private static final int CHUNK = 1 << 16;

    private final InputStream in;
    private final int max;
    private final List<byte[]> begun = new ArrayList<>();
    private byte[] chunk = new byte[CHUNK];
    private int from;
    private int to;
    private long number;
    private long bytes;

    /** The lines of a stream, of at most {@code max} bytes each. */
    public Lines(InputStream in, int max) {
        this.in = in;
        this.max = max;
    }

    /** How many lines were read. */
    public long number() {
        return number;
    }

    /** How many bytes were read, including the line feeds. */
    public long bytes() {
        return bytes;
    }

    /** Whether the next line, or a part of it, can be read without waiting. */
    public boolean isMoreThere() throws IOException {
        return indexOfEnd() >= 0 || in.available() > 0;
    }

    /**
     * The next line, or null at the end.
     *
     * @throws BadLine if it is too long
     */
    public byte[] next() throws IOException {
        long length = 0;
        while (true) {
            int end = indexOfEnd();
            length += (end < 0 ? to : end) - from;
            if (length > max) {
                begun.clear();
                throw tooLong(number + 1);
            }
            if (end >= 0) {
                byte[] line = join(end, (int) length);
                from = end + 1;
                return read(line, 1);
            }
            if (!fill()) {
                return length == 0 ? null : read(join(to, (int) length), 0);
            }
        }
    }

    /** What is wrong with a line that is longer than a message may be. */
    public BadLine tooLong(long number) {
        return new BadLine(
                number, "is longer than " + (max >> 20) + " MiB, the most that a message may have");
    }

    private byte[] read(byte[] line, int lineEnd) {
        number++;
        bytes += line.length + lineEnd;
        return line;
    }

    private int indexOfEnd() {
        for (int i = from; i < to; i++) {
            if (chunk[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /** Keeps the line that is begun and reads on; returns false at the end. */
    private boolean fill() throws IOException {
        if (from < to) {
            begun.add(Arrays.copyOfRange(chunk, from, to));
        }
        from = 0;
        to = 0;
        int read = in.read(chunk, 0, chunk.length);
        to = Math.max(read, 0);
        return read >= 0;
    }

    private byte[] join(int end, int length) {
        if (begun.isEmpty()) {
            return Arrays.copyOfRange(chunk, from, end);
        }
        byte[] line = new byte[length];
        int at = 0;
        for (byte[] part : begun) {
            System.arraycopy(part, 0, line, at, part.length);
            at += part.length;
        }
        System.arraycopy(chunk, from, line, at, Math.max(end - from, 0));
        begun.clear();
        return line;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * The file that a store has open, its log, and the log's index. SQLite goes on with a file that was
 * deleted or replaced, of which nobody else knows any more; who opens it next has an index of his
 * own, and the two write over what the other has put into the log. Thread-safe.
 */
final class OpenFile {

    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path file;
    private final Path given;
    private final Path log;
    private final Path index;
    private final Object fileKey;
    private volatile Object logKey;
    private volatile Object indexKey;
    private volatile long looked = System.nanoTime() - LOOK_NANOS;

    /**
     * A file that is open.
     *
     * @param database the name that SQLite has for it: links are followed
     * @param given the name that it was opened by, which may be that of a link
     */
    OpenFile(String database, Path given) {
        this.given = given;
        file = Path.of(database);
        log = log(database);
        index = Path.of(database + "-shm");
        fileKey = key(file);
    }

    /** The log of a file, which SQLite puts beside it. */
    static Path log(String database) {
        return Path.of(database + "-wal");
    }

    Path path() {
        return file;
    }

    /** How many bytes the file and its log have; -1 if that cannot be said. */
    long size() {
        try {
            return Files.size(file) + (Files.exists(log) ? Files.size(log) : 0);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Refuses to go on if there is another file in its place, or none. Looks now and then. */
    void check() {
        long now = System.nanoTime();
        if (now - looked >= LOOK_NANOS) {
            checkNow();
            looked = now;
        }
    }

    /** Refuses to go on if there is another file in its place, or none. */
    void checkNow() {
        if (fileKey == null) {
            return;
        }
        Object logNow = key(log);
        Object indexNow = key(index);
        if (!fileKey.equals(key(file))
                || !fileKey.equals(key(given))
                || logKey != null && !logKey.equals(logNow)
                || indexKey != null && !indexKey.equals(indexNow)) {
            throw new StoreFailed(moved(file.toString()));
        }
        logKey = logNow;
        indexKey = indexNow;
    }

    /** That a file is not the one that was opened, in words. */
    static String moved(String file) {
        return "the file "
                + file
                + ", its log or the log's index was moved, replaced or deleted while it was open;"
                + " open it anew";
    }

    /** What tells a file from others, whatever it is called; null if there is none. */
    private static Object key(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }
}

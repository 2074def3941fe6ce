// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The file that a store has open, its log, and the log's index. SQLite goes on with a file that was
 * deleted or replaced, although nobody else knows that file any more. If only the log or its index
 * was deleted, the next process makes a new index, and the two overwrite each other's part of the
 * log. Thread-safe.
 */
final class OpenFile {

    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** What this process has open, by file. */
    private static final Map<Object, Set<OpenFile>> OPEN = new ConcurrentHashMap<>();

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
        if (fileKey != null) {
            OPEN.computeIfAbsent(fileKey, any -> ConcurrentHashMap.newKeySet()).add(this);
        }
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
        if (!isInPlace()) {
            throw new StoreFailed(moved(file.toString()));
        }
    }

    /** Whether the file, its log and the log's index are still those that have these names. */
    private boolean isInPlace() {
        if (fileKey == null) {
            return true;
        }
        Object logNow = key(log);
        Object indexNow = key(index);
        if (!fileKey.equals(key(file))
                || !fileKey.equals(key(given))
                || isLost(logKey, logNow)
                || isLost(indexKey, indexNow)) {
            return false;
        }
        logKey = logNow;
        indexKey = indexNow;
        return true;
    }

    private boolean isLogLost() {
        return isLost(logKey, key(log)) || isLost(indexKey, key(index));
    }

    private static boolean isLost(Object was, Object now) {
        return was != null && !was.equals(now);
    }

    /**
     * Whether its connections may be closed: the last one copies the log to the file, even one that
     * was deleted. Where others have made another log or index since, SQLite would copy the log as
     * it knew it, over what they have copied, and remove theirs. The connections are left to the
     * end of the process then.
     */
    boolean isFreeToClose() {
        return isInPlace()
                || !fileKey.equals(key(file))
                || !isOther(log, logKey) && !isOther(index, indexKey);
    }

    /** Its connections are closed. */
    void closed() {
        if (fileKey != null) {
            OPEN.computeIfPresent(
                    fileKey,
                    (key, all) -> {
                        all.remove(this);
                        return all.isEmpty() ? null : all;
                    });
        }
    }

    /** Whether there is another file where one was. */
    private static boolean isOther(Path file, Object was) {
        Object now = key(file);
        return now != null && isLost(was, now);
    }

    /**
     * Refuses a file if this process still has it open with the index of a log that is gone, as a
     * new connection would share that index.
     */
    static void requireNotLost(Path file) {
        Object key = key(file);
        if (key != null
                && OPEN.getOrDefault(key, Set.of()).stream().anyMatch(OpenFile::isLogLost)) {
            throw new StoreFailed(
                    "the log of "
                            + file
                            + " or its index was replaced or deleted while it was open in this"
                            + " process; close what has it open, or end the process, and open the"
                            + " file then");
        }
    }

    /** That a file is not the one that was opened, in words. */
    static String moved(String file) {
        return "the file "
                + file
                + ", its log or the log's index was moved, replaced or deleted while it was open;"
                + " close it and open it anew";
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

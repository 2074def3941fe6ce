// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * A SQLite database: a file and those that SQLite keeps beside it.
 *
 * @param server the URL that was named, beside whose file it is
 * @param file the database
 */
record FilePlace(String server, Path file) implements SharedPlace {

    private static final List<String> SUFFIXES = List.of("", "-wal", "-shm", "-journal");

    /**
     * Files that are deleted when the process ends, as a run may be interrupted and files can be
     * large.
     */
    private static final Set<FilePlace> MADE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> MADE.forEach(FilePlace::remove), "slipring-bench-files"));
    }

    /** Next to a file, under a free name: {@code orders-naive-1.db} for {@code orders.db}. */
    static FilePlace beside(SqliteTarget target, String system) {
        String name = target.file().getFileName().toString();
        int dot = name.lastIndexOf('.');
        String stem = dot <= 0 ? name : name.substring(0, dot);
        String ending = dot <= 0 ? "" : name.substring(dot);
        for (int number = 1; ; number++) {
            FilePlace place =
                    new FilePlace(
                            target.url(),
                            target.file()
                                    .resolveSibling(stem + "-" + system + "-" + number + ending));
            if (place.all().stream().noneMatch(Files::exists) && place.isMade()) {
                return place;
            }
        }
    }

    /** Makes the file, which belongs to this place from now on; false if another run was faster. */
    private boolean isMade() {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            throw new BenchFailed("cannot make " + file + ": " + e);
        }
        MADE.add(this);
        return true;
    }

    @Override
    public String name() {
        return file.toString();
    }

    /**
     * A connection that syncs at each commit, and waits for its turn, as only one writes at a time.
     */
    @Override
    public Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Sql.run(
                connection,
                "PRAGMA busy_timeout = 60000",
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = FULL");
        return connection;
    }

    private List<Path> all() {
        return SUFFIXES.stream().map(suffix -> Path.of(file + suffix)).toList();
    }

    @Override
    public String fingerprint() {
        // Without the -shm file: it is mapped memory, and its time says nothing.
        return all().stream()
                .filter(path -> !path.toString().endsWith("-shm") && Files.exists(path))
                .map(FilePlace::print)
                .collect(Collectors.joining(" "));
    }

    private static String print(Path path) {
        try {
            return Files.size(path) + "@" + Files.getLastModifiedTime(path).toInstant();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        MADE.remove(this);
        remove();
    }

    private void remove() {
        try {
            for (Path path : all()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** A SQLite file. */
final class SqliteArena implements Arena {

    private static final String BUSY_MILLIS = "20000";

    private final String url;
    private final Path file;
    private final String options;

    SqliteArena(String url) {
        this.url = url;
        String rest = url.substring(url.indexOf("sqlite:") + "sqlite:".length());
        int mark = rest.indexOf('?');
        String name = mark < 0 ? rest : rest.substring(0, mark);
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "the URL '" + url + "' names no file; write sqlite:FILE");
        }
        this.file = Path.of(name);
        this.options = mark < 0 ? "" : rest.substring(mark);
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public String words() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            return "SQLite " + connection.getMetaData().getDatabaseProductVersion();
        }
    }

    @Override
    public long bytes() throws IOException {
        long sum = 0;
        for (String end : List.of("", "-wal", "-shm")) {
            Path part = file.resolveSibling(file.getFileName() + end);
            sum += Files.exists(part) ? Files.size(part) : 0;
        }
        return sum;
    }

    @Override
    public Optional<String> mark() throws IOException {
        StringBuilder mark = new StringBuilder();
        for (String end : List.of("", "-wal")) {
            Path part = file.resolveSibling(file.getFileName() + end);
            if (Files.exists(part)) {
                mark.append(Files.size(part)).append(' ');
                mark.append(Files.getLastModifiedTime(part)).append(' ');
            }
        }
        return Optional.of(mark.toString());
    }

    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public Connection connect(boolean writes) throws SQLException {
        Properties how = new Properties();
        how.setProperty("busy_timeout", BUSY_MILLIS);
        how.setProperty("transaction_mode", writes ? "IMMEDIATE" : "DEFERRED");
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file, how);
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public Path journals() {
        return file.resolveSibling(file.getFileName() + ".journals");
    }

    @Override
    public void checkFree() {
        if (Files.exists(file)) {
            throw new IllegalArgumentException(
                    "there is a file '" + file + "' already; torture makes one of its own");
        }
        Arena.checkParent(file);
    }

    @Override
    public Optional<Arena> on(Path disk) {
        return Optional.of(new SqliteArena("sqlite:" + disk.resolve("torture.db") + options));
    }
}

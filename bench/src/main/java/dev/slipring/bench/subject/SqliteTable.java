// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A connection of the table queue with its statements, prepared once. Used under a lock. */
final class SqliteTable implements AutoCloseable {

    /**
     * The settings that the ring's engine uses on its connections, so that they make no difference.
     */
    private static final List<String> SETTINGS =
            List.of(
                    "PRAGMA page_size = 32768",
                    "PRAGMA journal_mode = WAL",
                    "PRAGMA cache_size = -16000",
                    "PRAGMA wal_autocheckpoint = 4000",
                    "PRAGMA journal_size_limit = 134217728",
                    "PRAGMA temp_store = MEMORY",
                    "PRAGMA foreign_keys = OFF",
                    // Long, as SQLite is not fair to a connection that waits for one that writes
                    // again and again.
                    "PRAGMA busy_timeout = 60000");

    private final Connection connection;
    private final List<PreparedStatement> inserts = new ArrayList<>();
    private final List<PreparedStatement> deletes = new ArrayList<>();

    SqliteTable(Path file, String synchronous, int queues) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            for (String setting : SETTINGS) {
                statement.execute(setting);
            }
            statement.execute("PRAGMA synchronous = " + synchronous);
            for (int queue = 0; queue < queues; queue++) {
                statement.execute(
                        "CREATE TABLE IF NOT EXISTS q"
                                + queue
                                + " (id INTEGER PRIMARY KEY, at INTEGER, body BLOB)");
            }
        }
        for (int queue = 0; queue < queues; queue++) {
            inserts.add(
                    connection.prepareStatement(
                            "INSERT INTO q" + queue + " (at, body) VALUES (?, ?)"));
            deletes.add(
                    connection.prepareStatement(
                            "DELETE FROM q"
                                    + queue
                                    + " WHERE id IN (SELECT id FROM q"
                                    + queue
                                    + " ORDER BY id LIMIT ?)"
                                    + " RETURNING id, body"));
        }
    }

    /** Inserts bodies into every queue, in one transaction. */
    void insert(List<byte[]> bodies) throws SQLException {
        long now = System.currentTimeMillis();
        if (bodies.size() == 1 && inserts.size() == 1) {
            // One statement is a transaction by itself, which spares two calls.
            PreparedStatement insert = inserts.get(0);
            insert.setLong(1, now);
            insert.setBytes(2, bodies.get(0));
            insert.executeUpdate();
            return;
        }
        connection.setAutoCommit(false);
        for (PreparedStatement insert : inserts) {
            for (byte[] body : bodies) {
                insert.setLong(1, now);
                insert.setBytes(2, body);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** Deletes the oldest messages of a queue, in one statement that is a transaction by itself. */
    List<byte[]> delete(int queue, int most) throws SQLException {
        PreparedStatement delete = deletes.get(queue);
        delete.setInt(1, most);
        List<byte[]> bodies = new ArrayList<>();
        try (ResultSet rows = delete.executeQuery()) {
            while (rows.next()) {
                bodies.add(rows.getBytes(2));
            }
        }
        return bodies;
    }

    /** How many messages a queue has; its ids have no holes. */
    long count(int queue) throws SQLException {
        return Sql.number(connection, "SELECT coalesce(max(id) - min(id) + 1, 0) FROM q" + queue);
    }

    /** How many bytes the bodies of a queue have. */
    long bytes(int queue) throws SQLException {
        return Sql.number(connection, "SELECT coalesce(sum(length(body)), 0) FROM q" + queue);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}

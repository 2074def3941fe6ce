// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A connection of the table queue on a server, with its statements. Used by one thread. */
final class ServerTable implements AutoCloseable {

    private final Connection connection;
    private final boolean returns;
    private final int queues;

    ServerTable(String url, int queues) throws SQLException {
        this.queues = queues;
        connection = ServerTarget.connect(url);
        boolean ready = false;
        try {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            returns =
                    connection
                            .getMetaData()
                            .getDatabaseProductName()
                            .toLowerCase(Locale.ROOT)
                            .contains("maria");
            ready = true;
        } finally {
            if (!ready) {
                connection.close();
            }
        }
    }

    /** Makes the tables that are missing. */
    void create() throws SQLException {
        for (int queue = 0; queue < queues; queue++) {
            Sql.run(
                    connection,
                    "CREATE TABLE IF NOT EXISTS "
                            + name(queue)
                            + " (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,"
                            + " at BIGINT NOT NULL, body VARBINARY(2000) NOT NULL)"
                            + " ENGINE = InnoDB");
        }
    }

    private static String name(int queue) {
        return "naive_queue_" + queue;
    }

    /** Inserts bodies into every queue, in one transaction. */
    void insert(List<byte[]> bodies) throws SQLException {
        boolean one = bodies.size() == 1 && queues == 1;
        connection.setAutoCommit(one);
        long now = System.currentTimeMillis();
        for (int queue = 0; queue < queues; queue++) {
            try (PreparedStatement insert =
                    connection.prepareStatement(
                            "INSERT INTO "
                                    + name(queue)
                                    + " (at, body) VALUES (?, ?)"
                                    + ", (?, ?)".repeat(bodies.size() - 1))) {
                int at = 1;
                for (byte[] body : bodies) {
                    insert.setLong(at++, now);
                    insert.setBytes(at++, body);
                }
                insert.executeUpdate();
            }
        }
        if (!one) {
            connection.commit();
        }
    }

    /** Deletes the oldest messages of a queue. */
    List<byte[]> delete(int queue, int most) throws SQLException {
        return returns ? deleteReturning(queue, most) : selectAndDelete(queue, most);
    }

    private List<byte[]> deleteReturning(int queue, int most) throws SQLException {
        connection.setAutoCommit(true);
        List<byte[]> bodies = new ArrayList<>();
        try (PreparedStatement delete =
                connection.prepareStatement(
                        "DELETE FROM " + name(queue) + " ORDER BY id LIMIT ? RETURNING body")) {
            delete.setInt(1, most);
            try (ResultSet rows = delete.executeQuery()) {
                while (rows.next()) {
                    bodies.add(rows.getBytes(1));
                }
            }
        }
        return bodies;
    }

    private List<byte[]> selectAndDelete(int queue, int most) throws SQLException {
        connection.setAutoCommit(false);
        List<byte[]> bodies = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT id, body FROM "
                                + name(queue)
                                + " ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED")) {
            select.setInt(1, most);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                    bodies.add(rows.getBytes(2));
                }
            }
        }
        if (!ids.isEmpty()) {
            delete(queue, ids, powerOfTwo(ids.size()));
        }
        connection.commit();
        return bodies;
    }

    /**
     * Deletes messages by their ids, of which the last one stands again and again in a list of
     * {@code places}: a statement for each length would push all others out of the driver's cache.
     */
    private void delete(int queue, List<Long> ids, int places) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement(
                        "DELETE FROM "
                                + name(queue)
                                + " WHERE id IN (?"
                                + ", ?".repeat(places - 1)
                                + ")")) {
            for (int i = 0; i < places; i++) {
                delete.setLong(i + 1, ids.get(Math.min(i, ids.size() - 1)));
            }
            delete.executeUpdate();
        }
    }

    /** The least power of two that is not below a number. */
    private static int powerOfTwo(int number) {
        return number == 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    /** How many messages a queue has. */
    long count(int queue) throws SQLException {
        return Sql.number(connection, "SELECT COUNT(*) FROM " + name(queue));
    }

    /** How many bytes the bodies of a queue have. */
    long bytes(int queue) throws SQLException {
        return Sql.number(connection, "SELECT COALESCE(SUM(LENGTH(body)), 0) FROM " + name(queue));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}

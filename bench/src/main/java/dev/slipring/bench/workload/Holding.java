// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.subject.PostgresPlace;
import dev.slipring.bench.subject.Sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What another session holds open. */
enum Holding {
    /** Nothing. */
    NOTHING("clean"),
    /** A snapshot, which keeps every dead row in the database from being removed. */
    SNAPSHOT("held snapshot"),
    /** A transaction with a number, which keeps every later one in all snapshots. */
    NUMBER("idle transaction"),
    /** Transactions that read other tables, again and again, of which one is always old. */
    READERS("readers of other tables"),
    /** A transaction that has read all tables of the queue that is measured. */
    OURS("reader of ours");

    private static final int READERS_AT_ONCE = 4;
    private static final Duration LONGEST_READING = Duration.ofSeconds(20);
    private static final String BYSTANDER = "bystander";

    private final String words;

    Holding(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /** Makes the table that is read besides the queue. */
    static void prepare(PostgresPlace place) throws SQLException {
        try (Connection connection = place.connect()) {
            Sql.run(
                    connection,
                    "CREATE TABLE IF NOT EXISTS "
                            + BYSTANDER
                            + " AS SELECT i, repeat('x', 200) FROM generate_series(1, 5000) i");
        }
    }

    /** Holds it until closed. */
    AutoCloseable begin(PostgresPlace place, Duration window) throws SQLException {
        if (this == NOTHING) {
            return () -> {};
        }
        if (this == READERS) {
            Duration reading = window.dividedBy(2);
            Duration longest = reading.compareTo(LONGEST_READING) < 0 ? reading : LONGEST_READING;
            List<Connection> connections = new ArrayList<>();
            for (int i = 0; i < READERS_AT_ONCE; i++) {
                connections.add(transaction(place));
            }
            return new Readers(connections, BYSTANDER, longest);
        }
        Connection connection = transaction(place);
        switch (this) {
            case SNAPSHOT -> Sql.run(connection, "SELECT 1");
            case NUMBER -> Sql.run(connection, "SELECT pg_current_xact_id()");
            default -> readAll(connection);
        }
        return connection;
    }

    /** The server's process of a transaction that was begun here. */
    static int pid(AutoCloseable held) throws SQLException {
        return (int) Sql.number((Connection) held, "SELECT pg_backend_pid()");
    }

    private static Connection transaction(PostgresPlace place) throws SQLException {
        Connection connection = place.connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return connection;
    }

    private static void readAll(Connection connection) throws SQLException {
        String others =
                "SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND oid >= 16384"
                        + " AND relname <> '"
                        + BYSTANDER
                        + "'";
        for (String table : Sql.texts(connection, others)) {
            Sql.run(connection, "SELECT count(*) FROM " + table);
        }
    }
}

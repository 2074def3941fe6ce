// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A PostgreSQL server for the tests, with settings as durable as in production, and a new database
 * for each test that asks. SLIPRING_TEST_POSTGRESQL names another server, as a URL without the
 * database.
 */
final class Server {

    /** How long a server may take to start: a busy disk can keep it. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String IN_USE = "55006";
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String GIVEN = System.getenv("SLIPRING_TEST_POSTGRESQL");
    private static final EmbeddedPostgres OWN = GIVEN == null ? start() : null;

    private Server() {}

    private static EmbeddedPostgres start() {
        try {
            EmbeddedPostgres server =
                    EmbeddedPostgres.builder()
                            .setPGStartupWait(PATIENCE)
                            .setServerConfig("fsync", "on")
                            .setServerConfig("synchronous_commit", "on")
                            .setServerConfig("max_prepared_transactions", "2")
                            .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stop(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String base() {
        return GIVEN != null ? GIVEN : "postgresql://postgres@127.0.0.1:" + OWN.getPort();
    }

    /** The URL of a new, empty database. */
    static String newDatabase() throws SQLException {
        String name = "t" + ProcessHandle.current().pid() + "_" + NAMES.incrementAndGet();
        try (Connection connection = connect(base() + "/postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return base() + "/" + name;
    }

    /** The URL of a copy of a database to which nobody is connected. */
    static String copy(String url) throws SQLException {
        String name = url.substring(url.lastIndexOf('/') + 1);
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try (Connection connection = connect(base() + "/postgres");
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE " + name + "_copy TEMPLATE " + name);
                return url + "_copy";
            } catch (SQLException e) {
                // The server may end a session long after its connection was closed.
                if (!IN_USE.equals(e.getSQLState()) || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }

    /** Removes a database, and ends all connections to it. */
    static void drop(String url) throws SQLException {
        try (Connection connection = connect(base() + "/postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "DROP DATABASE " + url.substring(url.lastIndexOf('/') + 1) + " WITH (FORCE)");
        }
    }

    /** A connection to the database of a URL. */
    static Connection connect(String url) throws SQLException {
        PostgresUrl parsed = PostgresUrl.parse(url);
        return DriverManager.getConnection(
                "jdbc:postgresql://" + parsed.rest(), parsed.user(), parsed.password());
    }
}

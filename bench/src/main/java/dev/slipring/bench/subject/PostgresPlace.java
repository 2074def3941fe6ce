// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * A database on a server, made when it is first used.
 *
 * @param server the URL of another database on the server
 * @param name the database
 */
record PostgresPlace(String server, String name) implements Place {

    /** A name on the server that is free. */
    static PostgresPlace on(String server, String system) {
        PostgresPlace place =
                new PostgresPlace(
                        server,
                        "slipring_bench_"
                                + system.replace('-', '_')
                                + "_"
                                + ProcessHandle.current().pid()
                                + "_"
                                + System.nanoTime() % 1_000_000);
        place.run("CREATE DATABASE " + place.name + " TEMPLATE template0 ENCODING 'UTF8'");
        return place;
    }

    /** The URL of the database. */
    String url() {
        int slash = server.indexOf('/', server.indexOf("://") + 3);
        int mark = server.indexOf('?', slash);
        return server.substring(0, slash + 1) + name + (mark < 0 ? "" : server.substring(mark));
    }

    /** A connection to the database. */
    Connection connect() throws SQLException {
        return connect(url());
    }

    private static Connection connect(String url) throws SQLException {
        String rest = url.substring(url.indexOf("://") + 3);
        int at = rest.lastIndexOf('@', rest.indexOf('/'));
        Properties who = new Properties();
        if (at >= 0) {
            String[] parts = rest.substring(0, at).split(":", 2);
            who.setProperty("user", parts[0]);
            if (parts.length > 1) {
                who.setProperty("password", parts[1]);
            }
        }
        return DriverManager.getConnection("jdbc:postgresql://" + rest.substring(at + 1), who);
    }

    private void run(String sql) {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalArgumentException(
                    "bench makes databases of its own on the server, and could not: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public String fingerprint() {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT pg_current_wal_insert_lsn()::text || ' '"
                                        + " || pg_snapshot_xmax(pg_current_snapshot())")) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException("the server could not be asked", e);
        }
    }

    @Override
    public void close() {
        run("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }
}

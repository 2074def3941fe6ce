// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import org.postgresql.ds.PGSimpleDataSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

/**
 * A database on a server, made when it is first used.
 *
 * @param server the URL of another database on the server
 * @param name the database
 */
record PostgresPlace(String server, String name) implements SqlPlace {

    private static final String LOG =
            "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint";
    private static final String SIZE =
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class"
                    + " WHERE relkind = 'r' AND oid %s 16384";

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

    @Override
    public Connection connect() throws SQLException {
        return dataSource().getConnection();
    }

    /** Where connections to the database come from. */
    DataSource dataSource() {
        return dataSource(url());
    }

    private static DataSource dataSource(String url) {
        ServerAddress address = ServerAddress.of(url);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL("jdbc:postgresql://" + address.place());
        if (address.user() != null) {
            source.setUser(address.user());
        }
        if (address.password() != null) {
            source.setPassword(address.password());
        }
        return source;
    }

    private void run(String sql) {
        try (Connection connection = dataSource(server).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalArgumentException(
                    "bench makes databases of its own on the server, and could not: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Whether the server has an extension that can be installed. */
    static boolean offers(String server, String extension) {
        return text(
                        server,
                        "SELECT count(*) FROM pg_available_extensions WHERE name = '"
                                + extension
                                + "'")
                .equals("1");
    }

    /** What one cell of an answer of the server says. */
    static String text(String url, String sql) {
        try (Connection connection = dataSource(url).getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalArgumentException(
                    "the server could not be asked: " + e.getMessage(), e);
        }
    }

    @Override
    public String fingerprint() {
        return text(
                server,
                "SELECT pg_current_wal_insert_lsn()::text || ' '"
                        + " || pg_snapshot_xmax(pg_current_snapshot())");
    }

    @Override
    public long logBytes() {
        return Long.parseLong(text(server, LOG));
    }

    @Override
    public Sizes sizes() {
        return new Sizes(
                Long.parseLong(text(url(), String.format(SIZE, ">="))),
                Long.parseLong(text(url(), String.format(SIZE, "<"))));
    }

    @Override
    public void close() {
        run("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;

import org.postgresql.ds.PGSimpleDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

import javax.sql.DataSource;

/**
 * A database on a server, made for one queue.
 *
 * @param server the URL of another database on the server
 * @param name the database
 * @param made drops it; null in a process that did not make it
 */
public record PostgresPlace(String server, String name, Leftover made) implements SharedPlace {

    /** How long to wait until a database that is to be dropped is no longer in use. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * The errors of a drop while others are connected, or others that this user may not disconnect.
     */
    private static final Set<String> IN_USE = Set.of("42501", "55006");

    private static final String LOG =
            "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint";
    private static final String SIZE =
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class"
                    + " WHERE relkind = 'r' AND oid %s 16384";

    /**
     * How large the tables are, each with its indexes and what is stored beside it.
     *
     * @param tables bytes of the tables that users have made
     * @param catalogs bytes of the database's own tables
     */
    public record Sizes(long tables, long catalogs) {

        private static final int SHIFT = 20;

        /** Both in MiB. */
        @Override
        public String toString() {
            return (tables >> SHIFT) + "+" + (catalogs >> SHIFT) + " MiB";
        }
    }

    /** A new database. */
    static PostgresPlace on(String server, String system) {
        String name = ServerAddress.freeName(system);
        String make = "CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8'";
        String drop = "DROP DATABASE IF EXISTS " + name;
        try {
            Leftover made =
                    Leftover.make(drop, () -> run(server, make), () -> remove(server, drop));
            return new PostgresPlace(server, name, made);
        } catch (SQLException e) {
            throw ServerAddress.notAllowed(e, "ALTER ROLE … CREATEDB");
        }
    }

    /** A database that another process has made and will remove. */
    static PostgresPlace placed(String server, String name) {
        return new PostgresPlace(server, name, null);
    }

    /** The URL of the database. */
    String url() {
        return ServerAddress.withDatabase(server, name);
    }

    @Override
    public Connection connect() throws SQLException {
        return dataSource(url()).getConnection();
    }

    /**
     * Where connections to the database come from.
     *
     * @param rewriting whether the driver makes one INSERT of many in a batch
     */
    DataSource dataSource(boolean rewriting) {
        PGSimpleDataSource source = dataSource(url());
        source.setReWriteBatchedInserts(rewriting);
        return source;
    }

    private static PGSimpleDataSource dataSource(String url) {
        ServerAddress address = ServerAddress.of(url, System.getenv("PGPASSWORD"));
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

    private static void run(String server, String sql) throws SQLException {
        try (Connection connection = dataSource(server).getConnection()) {
            Sql.run(connection, sql);
        }
    }

    /**
     * Drops a database, by turns with and without force. With force the drop fails, unless the user
     * is a superuser, while the server itself cleans up in the database. Without force it ends that
     * cleaning, but it does not disconnect others.
     */
    private static void remove(String server, String drop) throws SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (boolean force = true; ; force = !force) {
            try {
                run(server, force ? drop + " WITH (FORCE)" : drop);
                return;
            } catch (SQLException e) {
                if (!IN_USE.contains(String.valueOf(e.getSQLState()))
                        || System.nanoTime() > deadline) {
                    throw e;
                }
            }
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

    /** The one value that a query returns, as text. */
    static String text(String url, String sql) {
        try (Connection connection = dataSource(url).getConnection()) {
            return Sql.texts(connection, sql).get(0);
        } catch (SQLException e) {
            throw new BenchFailed("the server could not be asked: " + e.getMessage(), e);
        }
    }

    @Override
    public String fingerprint() {
        return text(
                server,
                "SELECT pg_current_wal_insert_lsn()::text || ' '"
                        + " || pg_snapshot_xmax(pg_current_snapshot())");
    }

    /** How many bytes the server has ever written to its log, for all databases. */
    public long logBytes() {
        return Long.parseLong(text(server, LOG));
    }

    /** How large the tables are now. */
    public Sizes sizes() {
        return new Sizes(
                Long.parseLong(text(url(), SIZE.replace("%s", ">="))),
                Long.parseLong(text(url(), SIZE.replace("%s", "<"))));
    }

    @Override
    public void close() {
        if (made != null) {
            made.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;
import dev.slipring.engine.Engines;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Waits;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.StringJoiner;

/**
 * Rings and a table as a queue, in databases that are made for them on a MariaDB or MySQL server.
 *
 * @param engine the engine's name
 * @param url the URL that was given; its database is only used to make others
 */
record ServerTarget(String engine, String url) implements Target {

    /** How many messages of the bench a small server can hold without harm. */
    private static final long MOST_WAITING = 1_000_000;

    /** The options of a rival's connection. */
    private static final String OPTIONS =
            "useServerPrepStmts=true&useBulkStmts=true&allowPublicKeyRetrieval=true";

    /** Whether the URL names one of these servers. */
    static boolean accepts(String url) {
        return url.startsWith("mariadb://") || url.startsWith("mysql://");
    }

    static ServerTarget of(String url) {
        return new ServerTarget(url.substring(0, url.indexOf(':')), url);
    }

    /** A connection for a rival. */
    static Connection connect(String url) throws SQLException {
        ServerAddress server = ServerAddress.of(url, null);
        Properties who = new Properties();
        if (server.user() != null) {
            who.put("user", server.user());
        }
        if (server.password() != null) {
            who.put("password", server.password());
        }
        return DriverManager.getConnection("jdbc:mariadb://" + server.with(OPTIONS), who);
    }

    /** A queue in a database. */
    private record Queue(String url, String system) implements Contender {

        @Override
        public Place place() {
            return ServerPlace.on(url, system);
        }

        @Override
        public Subject open(Place place, Plan plan) throws SQLException {
            String database = ((ServerPlace) place).url();
            return system.equals(BASELINE)
                    ? new ServerNaive(database, plan)
                    : new RingSubject(database, plan);
        }
    }

    @Override
    public List<Contender> contenders() {
        return List.of(new Queue(url, Contender.RING), new Queue(url, Contender.BASELINE));
    }

    @Override
    public List<Contender> readable() {
        return contenders();
    }

    @Override
    public long mostWaiting() {
        return MOST_WAITING;
    }

    @Override
    public Optional<Waits> waits() {
        return Optional.of(Engines.byUrl(url).waits(Opening.of(url)));
    }

    @Override
    public String server() {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version',"
                                        + " 'innodb_buffer_pool_size', 'innodb_log_file_size',"
                                        + " 'innodb_redo_log_capacity', 'innodb_purge_threads',"
                                        + " 'log_bin', 'sync_binlog', 'binlog_cache_size',"
                                        + " 'innodb_flush_log_at_trx_commit')")) {
            StringJoiner settings = new StringJoiner(", ");
            while (row.next()) {
                settings.add("`" + row.getString(1) + "` " + row.getString(2));
            }
            return settings.toString();
        } catch (SQLException e) {
            throw new BenchFailed("the server could not be asked: " + e.getMessage(), e);
        }
    }
}

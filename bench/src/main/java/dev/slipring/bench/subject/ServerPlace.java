// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A database on a MariaDB or MySQL server, made for one queue.
 *
 * @param server the URL of another database on the server
 * @param name the database
 * @param made drops it
 */
record ServerPlace(String server, String name, Leftover made) implements Place {

    /** How long connections that were ended may keep the database, in seconds. */
    private static final int PATIENCE_SECONDS = 10;

    private static final int NO_SUCH_THREAD = 1094;

    private static final String WRITTEN =
            "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_rows_updated',"
                    + " 'Innodb_rows_inserted', 'Innodb_rows_deleted')";

    /** A new database. */
    static ServerPlace on(String server, String system) {
        String name = ServerAddress.freeName(system);
        String drop = "DROP DATABASE IF EXISTS " + name;
        try {
            Leftover made =
                    Leftover.make(drop, () -> make(server, name), () -> remove(server, name, drop));
            return new ServerPlace(server, name, made);
        } catch (SQLException e) {
            throw ServerAddress.notAllowed(
                    e,
                    "GRANT ALL ON `"
                            + ServerAddress.PREFIX.replace("_", "\\_")
                            + "%`.* TO …");
        }
    }

    private static void make(String server, String name) throws SQLException {
        try (Connection connection = ServerTarget.connect(server)) {
            Sql.run(connection, "CREATE DATABASE " + name);
        }
    }

    /** Drops the database. First ends the connections to it, as they would keep its tables. */
    private static void remove(String server, String name, String drop) throws SQLException {
        try (Connection connection = ServerTarget.connect(server);
                Statement statement = connection.createStatement()) {
            for (long client : clients(statement, name)) {
                end(statement, client);
            }
            statement.execute("SET SESSION lock_wait_timeout = " + PATIENCE_SECONDS);
            statement.execute(drop);
        }
    }

    private static List<Long> clients(Statement statement, String name) throws SQLException {
        List<Long> clients = new ArrayList<>();
        try (ResultSet rows =
                statement.executeQuery(
                        "SELECT id FROM information_schema.processlist WHERE db = '"
                                + name
                                + "'")) {
            while (rows.next()) {
                clients.add(rows.getLong(1));
            }
        }
        return clients;
    }

    private static void end(Statement statement, long client) throws SQLException {
        try {
            statement.execute("KILL " + client);
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                throw e;
            }
        }
    }

    /** The URL of the database. */
    String url() {
        return ServerAddress.withDatabase(server, name);
    }

    @Override
    public Connection connect() throws SQLException {
        return ServerTarget.connect(url());
    }

    @Override
    public String fingerprint() {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(WRITTEN)) {
            StringBuilder print = new StringBuilder();
            while (row.next()) {
                print.append(row.getString(2)).append(' ');
            }
            return print.toString();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        made.close();
    }
}

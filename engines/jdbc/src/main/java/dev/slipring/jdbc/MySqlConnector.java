// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import org.mariadb.jdbc.Driver;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes connections of our own to MariaDB and MySQL, by MariaDB's Connector/J. */
final class MySqlConnector {

    private static final String ONE_BY_ONE = "disablePipeline";

    /**
     * When a server that does not answer any more is asked whether it is there, in seconds: after a
     * minute, and then five times more. Left to itself Linux asks after two hours.
     */
    private static final Map<String, String> KEPT =
            Map.of("tcpKeepIdle", "60", "tcpKeepInterval", "10", "tcpKeepCount", "6");

    private static final boolean SETS_KEEP_ALIVE = setsKeepAlive();

    private static final boolean HAS_SOCKETS = MySqlSockets.areSeenByDriver();

    private MySqlConnector() {}

    /** Whether this system lets a program say that, which some do not. */
    private static boolean setsKeepAlive() {
        try (Socket any = new Socket()) {
            return any.supportedOptions().stream()
                    .map(SocketOption::name)
                    .collect(Collectors.toSet())
                    .containsAll(Set.of("TCP_KEEPIDLE", "TCP_KEEPINTERVAL", "TCP_KEEPCOUNT"));
        } catch (IOException e) {
            return false;
        }
    }

    /** Connects, with our options where the URL has none. */
    static Connection connect(ServerUrl url) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(url.options());
        properties.putIfAbsent(MySqlOptions.SEVERAL, "true");
        properties.putIfAbsent("useServerPrepStmts", "true");
        // MariaDB would execute the statement before one that it cannot prepare.
        properties.putIfAbsent(ONE_BY_ONE, "true");
        properties.putIfAbsent("connectTimeout", "10000");
        // A server could ask for any file of this machine's otherwise.
        properties.putIfAbsent("allowLocalInfile", "false");
        properties.putIfAbsent("tcpKeepAlive", "true");
        if (SETS_KEEP_ALIVE && !url.options().containsKey("localSocket")) {
            KEPT.forEach(properties::putIfAbsent);
        }
        if (HAS_SOCKETS) {
            properties.putIfAbsent("socketFactory", MySqlSockets.class.getName());
        }
        if (url.isLoopback()) {
            // Elsewhere somebody on the way could answer with a key of his own.
            properties.putIfAbsent("allowPublicKeyRetrieval", "true");
        }
        if (url.user() != null) {
            properties.put("user", url.user());
        }
        if (url.password() != null) {
            properties.put("password", url.password());
        }
        return connect("jdbc:mariadb://" + url.address(), properties);
    }

    /**
     * Connects. Where a server refuses the first that the driver asks, the driver fails with an
     * error of Java's if it asks one by one, and leaves its socket to the collector; otherwise it
     * has heard what the server said.
     */
    private static Connection connect(String address, Properties properties) throws SQLException {
        try {
            return new Driver().connect(address, properties);
        } catch (IndexOutOfBoundsException e) {
            properties.put(ONE_BY_ONE, "false");
            throw whyNot(address, properties);
        } catch (SQLException said) {
            throw reason(said);
        }
    }

    private static SQLException whyNot(String address, Properties properties) {
        try {
            new Driver().connect(address, properties).close();
            return new SQLTransientConnectionException("it refused its driver, once", "08000");
        } catch (SQLException said) {
            return reason(said);
        }
    }

    /**
     * The driver's own words may be only that what it asks first has failed, and its reason an
     * error around the one that says that the connection broke.
     */
    private static SQLException reason(SQLException said) {
        SQLException reason = said.getCause() instanceof BatchUpdateException why ? why : said;
        return reason.getCause() instanceof SQLNonTransientConnectionException lost ? lost : reason;
    }
}

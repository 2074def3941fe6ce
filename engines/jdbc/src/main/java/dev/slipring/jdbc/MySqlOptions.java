// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.sql.UrlPart;

import org.mariadb.jdbc.Configuration;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/** The options of a URL as MariaDB's Connector/J knows them. */
final class MySqlOptions {

    /** What the driver takes for a yes. */
    private static final Set<String> ON = Set.of("true", "1");

    static final String SEVERAL = "allowMultiQueries";

    private MySqlOptions() {}

    /** What a connection's driver was told, as far as it matters here. */
    private record Told(long mostSent, boolean replays) {}

    /**
     * Refuses what the driver does not know: it would ignore it, also where it was to make the way
     * to the server safe.
     */
    static void check(String url, Map<String, String> options) {
        Properties given = new Properties();
        given.putAll(options);
        try {
            Properties unknown =
                    Configuration.parse("jdbc:mariadb://localhost/", given).nonMappedOptions();
            UrlPart.checkUnknown(
                    url,
                    unknown.stringPropertyNames(),
                    "MariaDB's Connector/J, like sslMode");
            options.forEach(MySqlOptions::checkSeveral);
        } catch (SQLException e) {
            throw new IllegalArgumentException("an option of the URL: " + e.getMessage(), e);
        }
    }

    /** Refuses to send one statement at a time, which nothing here could go without. */
    private static void checkSeveral(String option, String value) {
        if (option.equalsIgnoreCase(SEVERAL) && !ON.contains(value.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "Slipring sends several statements as one text; leave out the option '"
                            + option
                            + "', which is set anyway");
        }
    }

    /**
     * How many bytes the driver sends at once: where it is told of less than the server takes, it
     * refuses more by itself, and closes the connection.
     */
    static long mostSent(Connection connection) {
        return told(connection).mostSent();
    }

    /**
     * What we cannot bear. Where a transaction is replayed, as its connection was lost, it may find
     * other rows than those that we went by.
     */
    static Optional<String> wrong(Connection connection) {
        return told(connection).replays()
                ? Optional.of(
                        "transactionReplay among the options of its driver, which would write again"
                                + " what others have changed meanwhile")
                : Optional.empty();
    }

    private static Told told(Connection connection) {
        try {
            if (connection.isWrapperFor(org.mariadb.jdbc.Connection.class)) {
                Configuration options =
                        connection.unwrap(org.mariadb.jdbc.Connection.class).getContext().getConf();
                Integer most = options.maxAllowedPacket();
                return new Told(most == null ? Long.MAX_VALUE : most, options.transactionReplay());
            }
        } catch (SQLException | RuntimeException e) {
            // A pool that cannot say is one of another driver, or broken; then all else fails.
        } catch (LinkageError e) {
            // An application with a driver of its own has left this one out.
        }
        return new Told(Long.MAX_VALUE, false);
    }
}

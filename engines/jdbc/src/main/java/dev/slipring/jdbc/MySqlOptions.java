// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import org.mariadb.jdbc.Configuration;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** The options of a URL as MariaDB's Connector/J knows them. */
final class MySqlOptions {

    /** What the driver takes for a yes. */
    private static final Set<String> ON = Set.of("true", "1");

    static final String SEVERAL = "allowMultiQueries";

    private MySqlOptions() {}

    /**
     * Refuses what the driver does not know: it would ignore it, also where it was to make the way
     * to the server safe.
     */
    static void check(Map<String, String> options) {
        Properties given = new Properties();
        given.putAll(options);
        try {
            Properties unknown =
                    Configuration.parse("jdbc:mariadb://localhost/", given).nonMappedOptions();
            if (!unknown.isEmpty()) {
                throw new IllegalArgumentException(
                        "the driver has no option '"
                                + String.join("', '", unknown.stringPropertyNames())
                                + "'; its options are those of MariaDB's Connector/J, like"
                                + " sslMode");
            }
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
        try {
            if (connection.isWrapperFor(org.mariadb.jdbc.Connection.class)) {
                Integer most =
                        connection
                                .unwrap(org.mariadb.jdbc.Connection.class)
                                .getContext()
                                .getConf()
                                .maxAllowedPacket();
                return most == null ? Long.MAX_VALUE : most;
            }
        } catch (SQLException e) {
            // A pool that cannot say is one of another driver, or broken; then all else fails.
        } catch (NoClassDefFoundError e) {
            // An application with a driver of its own has left this one out.
        }
        return Long.MAX_VALUE;
    }
}

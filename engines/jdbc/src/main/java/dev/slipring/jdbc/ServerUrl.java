// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Passwords;
import dev.slipring.sql.UrlPart;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A URL of a server.
 *
 * @param address host, port and database, as they are written in a JDBC URL; the drivers used here
 *     take the database as it is, so it is decoded
 * @param user the user, or null
 * @param password the password, or null; never shown
 * @param options the driver's options
 */
record ServerUrl(String address, String user, String password, Map<String, String> options) {

    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d+)?/.*");

    /** Whether a URL begins with one of the names. */
    static boolean accepts(String url, String... names) {
        for (String name : names) {
            if (url.startsWith(name + "://") || url.startsWith("jdbc:" + name + "://")) {
                return true;
            }
        }
        return false;
    }

    /** Reads {@code name://user:password@host:port/database?option=value}. */
    static ServerUrl parse(String url) {
        int scheme = url.indexOf("://");
        String rest = url.substring(scheme + 3);
        Map<String, String> options = new TreeMap<>();
        int query = rest.indexOf('?');
        if (query >= 0) {
            for (String option : rest.substring(query + 1).split("&")) {
                if (!option.isEmpty()) {
                    int is = equalsIn(option, "in a password write %26 for '&' and %3F for '?'");
                    options.put(option.substring(0, is), decoded(option.substring(is + 1)));
                }
            }
            rest = rest.substring(0, query);
        }
        String user = options.remove("user");
        String password = options.remove("password");
        int at = rest.lastIndexOf('@');
        if (at >= 0) {
            String[] who = rest.substring(0, at).split(":", 2);
            user = decoded(who[0]);
            password = who.length > 1 ? decoded(who[1]) : password;
            rest = rest.substring(at + 1);
        }
        int slash = rest.indexOf('/');
        if (slash < 0 || slash == rest.length() - 1) {
            throw new IllegalArgumentException(
                    "the URL names no database; write "
                            + url.substring(0, scheme)
                            + "://user:password@host:port/database");
        }
        checkPorts(rest.substring(0, slash));
        String database = decoded(rest.substring(slash + 1));
        if (database.contains("?")) {
            throw new IllegalArgumentException(
                    "a database with a '?' in its name cannot be named in a URL; use a DataSource");
        }
        return new ServerUrl(rest.substring(0, slash + 1) + database, user, password, options);
    }

    /**
     * Where an option has the sign between its name and its value. Passed over, it would be missing
     * where it was to make the connection safe.
     */
    static int equalsIn(String option, String hint) {
        int is = option.indexOf('=');
        if (is < 1) {
            // Not quoted: it may be a part of a password.
            throw new IllegalArgumentException(
                    "an option of the URL is not written like name=value; " + hint);
        }
        return is;
    }

    private static void checkPorts(String hosts) {
        for (String host : hosts.split(",", -1)) {
            if (host.isEmpty() && !hosts.isEmpty()) {
                // The driver would look for its first character.
                throw new IllegalArgumentException("a host is missing beside a ',' in the URL");
            }
            UrlPart.checkPort(host);
        }
    }

    /** Whether the server is on this machine, so that nobody stands between. */
    boolean isLoopback() {
        return LOOPBACK.matcher(address).matches();
    }

    private static String decoded(String text) {
        return UrlPart.decoded(text, "the URL");
    }

    @Override
    public String toString() {
        return Passwords.masked(address);
    }
}

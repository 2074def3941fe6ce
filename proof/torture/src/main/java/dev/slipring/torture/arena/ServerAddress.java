// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import dev.slipring.engine.Passwords;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/**
 * Where a database of a server is.
 *
 * @param scheme the engine's name
 * @param user user and password as in a URL, with the at sign; empty if there are none
 * @param host the host
 * @param port the port
 * @param rest the database, with its slash, and the driver's options
 */
record ServerAddress(String scheme, String user, String host, int port, String rest) {

    /** The port to use if a URL has none, and the name of the driver. */
    private record Default(int port, String driver) {}

    private static final Map<String, Default> KNOWN =
            Map.of(
                    "postgresql", new Default(5432, "postgresql"),
                    "mariadb", new Default(3306, "mariadb"),
                    "mysql", new Default(3306, "mariadb"));

    /** Whether a URL names an existing server. */
    static boolean accepts(String url) {
        return KNOWN.keySet().stream().anyMatch(name -> plain(url).startsWith(name + "://"));
    }

    private static String plain(String url) {
        return url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
    }

    static ServerAddress parse(String url) {
        try {
            URI uri = new URI(plain(url));
            if (uri.getHost() != null && uri.getRawPath().length() > 1) {
                String user = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
                String options = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
                Default known = KNOWN.get(uri.getScheme());
                int port = uri.getPort() < 0 ? known.port() : uri.getPort();
                String rest = uri.getRawPath() + options;
                return new ServerAddress(uri.getScheme(), user, uri.getHost(), port, rest);
            }
        } catch (URISyntaxException e) {
            // Without its cause, whose message has the whole URL with the password.
        }
        throw new IllegalArgumentException(
                "torture needs one host and a database, as NAME://USER:PASSWORD@HOST:PORT/DATABASE;"
                        + " the URL is '"
                        + Passwords.maskedUrl(url)
                        + "'");
    }

    /** The same server, reached through a wire. */
    ServerAddress through(Wire wire) {
        return new ServerAddress(scheme, user, "127.0.0.1", wire.port(), rest);
    }

    /** The database's name. */
    String database() {
        int mark = rest.indexOf('?');
        return rest.substring(1, mark < 0 ? rest.length() : mark);
    }

    String url() {
        return scheme + "://" + user + host + ":" + port + rest;
    }

    Connection connect() throws SQLException {
        String driver = KNOWN.get(scheme).driver();
        String jdbc = "jdbc:" + driver + "://" + host + ":" + port + rest;
        if (user.isEmpty()) {
            return DriverManager.getConnection(jdbc);
        }
        String[] who = user.substring(0, user.length() - 1).split(":", 2);
        String password = who.length > 1 ? who[1] : null;
        return DriverManager.getConnection(jdbc, decoded(who[0]), decoded(password));
    }

    private static String decoded(String text) {
        return text == null
                ? null
                : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return scheme + "://" + host + ":" + port + "/" + database();
    }
}

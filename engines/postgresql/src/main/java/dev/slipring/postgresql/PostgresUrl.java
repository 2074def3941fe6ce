// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Passwords;
import dev.slipring.sql.UrlPart;

import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

import java.util.List;

import javax.sql.DataSource;

/**
 * A URL {@code postgresql://user:password@host:port/database?option=value&...} in its parts. The
 * options are those of the driver. The password may come from PGPASSWORD or the driver's own file.
 *
 * @param user the user, or null
 * @param password the password, or null; never shown
 * @param rest host, port, database and options
 */
record PostgresUrl(String user, String password, String rest) {

    private static final String FORM = "postgresql://USER@HOST:PORT/DATABASE";

    static boolean accepts(String url) {
        return url.startsWith("postgresql://")
                || url.startsWith("postgres://")
                || url.startsWith("jdbc:postgresql:");
    }

    static PostgresUrl parse(String url) {
        int slashes = url.indexOf("://");
        if (slashes < 0) {
            throw new IllegalArgumentException("the URL names no host; write " + FORM);
        }
        String rest = url.substring(slashes + "://".length());
        int end = firstOf(rest, '/', '?');
        int at = rest.lastIndexOf('@', end);
        String user = null;
        String password = System.getenv("PGPASSWORD");
        if (at >= 0 && at < end) {
            String who = rest.substring(0, at);
            rest = rest.substring(at + 1);
            int colon = who.indexOf(':');
            user = decoded(colon < 0 ? who : who.substring(0, colon));
            password = colon < 0 ? password : decoded(who.substring(colon + 1));
        }
        PostgresUrl parsed = new PostgresUrl(user, password, rest);
        for (String host : parsed.address().split("/", 2)[0].split(",")) {
            // The driver logs what it cannot read, in full.
            UrlPart.checkPort(host);
        }
        if (parsed.database().isEmpty()) {
            throw new IllegalArgumentException("the URL names no database; write " + FORM);
        }
        if (parsed.database().contains("/") || parsed.database().contains("@")) {
            throw new IllegalArgumentException(
                    "the database in the URL has a '/' or '@'; write "
                            + FORM
                            + ", and in a password %2F for '/' and %40 for '@'");
        }
        return parsed;
    }

    private static int firstOf(String text, char one, char other) {
        int a = text.indexOf(one) < 0 ? text.length() : text.indexOf(one);
        int b = text.indexOf(other) < 0 ? text.length() : text.indexOf(other);
        return Math.min(a, b);
    }

    private static String decoded(String text) {
        return UrlPart.decoded(text, "the user or the password in the URL");
    }

    private String database() {
        String address = address();
        int slash = address.indexOf('/');
        return slash < 0 ? "" : address.substring(slash + 1);
    }

    private String address() {
        int mark = rest.indexOf('?');
        return mark < 0 ? rest : rest.substring(0, mark);
    }

    /** Host, port and database, for people. */
    String place() {
        return Passwords.maskedUrl(address());
    }

    /** Where connections come from. */
    DataSource dataSource() {
        checkOptions();
        PGSimpleDataSource source;
        try {
            source = source("jdbc:postgresql://" + rest);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // The driver's message shows the whole URL, with a password that may be among the
            // options; or it looks for a host where there is only a comma.
            throw new IllegalArgumentException(
                    "PostgreSQL's driver cannot read '"
                            + place()
                            + "' and what follows; write "
                            + FORM);
        }
        if (user != null) {
            source.setUser(user);
        }
        if (password != null) {
            source.setPassword(password);
        }
        if (source.getApplicationName() == null) {
            source.setApplicationName("slipring");
        }
        if (!rest.contains("tcpKeepAlive=")) {
            source.setTcpKeepAlive(true);
        }
        if (!rest.contains("prepareThreshold=")) {
            // Bodies come as bytes, not as digits, from the second time on.
            source.setPrepareThreshold(1);
        }
        return source;
    }

    private PGSimpleDataSource source(String url) {
        if (address().contains(",")) {
            return new HostsSource(url);
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        return source;
    }

    /**
     * Refuses options that the driver does not know. It would ignore a misspelt one, even if that
     * was to make the connection safe.
     */
    private void checkOptions() {
        String options = rest.substring(address().length()).replaceFirst("^\\?", "");
        for (String option : options.split("&")) {
            String name = option.replaceFirst("=.*", "");
            PGProperty known = PGProperty.forName(name);
            if (!name.isEmpty() && known == null) {
                UrlPart.checkUnknown(
                        "postgresql://" + rest,
                        List.of(name),
                        "PostgreSQL's documentation, like sslmode");
            }
            String[] choices = known == null ? null : known.getChoices();
            String value = option.replaceFirst("[^=]*=?", "");
            if (choices != null && !List.of(choices).contains(value)) {
                throw new IllegalArgumentException(
                        name + " is one of " + String.join(", ", choices));
            }
        }
    }

    @Override
    public String toString() {
        return "postgresql://" + place();
    }
}

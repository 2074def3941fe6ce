// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;
import dev.slipring.engine.Passwords;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where a rival finds its server, from the URL that is meant for Slipring: {@code
 * name://user:password@host:port/database?option=value}.
 *
 * @param place host, port, database and the driver's other options, as in a JDBC URL
 * @param user the user, or null if none is named
 * @param password the password, or null
 */
record ServerAddress(String place, String user, String password) {

    /** How the names of the bench's databases begin. */
    static final String PREFIX = "slipring_bench_";

    /**
     * Reads a URL.
     *
     * @param unsaid the password to use if the URL has none, or null
     */
    static ServerAddress of(String url, String unsaid) {
        String rest = url.substring(url.indexOf("://") + 3);
        int query = rest.indexOf('?');
        Map<String, String> options = options(query < 0 ? "" : rest.substring(query + 1));
        String place = query < 0 ? rest : rest.substring(0, query);
        String user = decoded(options.remove("user"));
        String password = decoded(options.remove("password"));
        password = password == null ? unsaid : password;
        int at = place.lastIndexOf('@');
        if (at >= 0) {
            String[] who = place.substring(0, at).split(":", 2);
            user = decoded(who[0]);
            password = who.length > 1 ? decoded(who[1]) : password;
            place = place.substring(at + 1);
        }
        StringJoiner kept = new StringJoiner("&", "?", "").setEmptyValue("");
        options.forEach((name, value) -> kept.add(name + "=" + value));
        return new ServerAddress(place + kept, user, password);
    }

    private static Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : query.split("&")) {
            int is = option.indexOf('=');
            if (is > 0) {
                options.put(option.substring(0, is), option.substring(is + 1));
            }
        }
        return options;
    }

    private static String decoded(String text) {
        return text == null
                ? null
                : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The same URL with another database. */
    static String withDatabase(String url, String database) {
        int mark = url.indexOf('?');
        int end = mark < 0 ? url.length() : mark;
        int host = Math.max(url.indexOf("://") + 3, url.lastIndexOf('@', end) + 1);
        int slash = url.indexOf('/', host);
        if (slash < 0 || slash > end) {
            throw new IllegalArgumentException("the URL names no database");
        }
        return url.substring(0, slash + 1) + database + url.substring(end);
    }

    /** A name for a database that tells whose it is, and that is not in use. */
    static String freeName(String system) {
        return PREFIX
                + system.replace('-', '_')
                + "_"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    }

    /**
     * What to say when no database can be made.
     *
     * @param right what would give the right to make one
     */
    static BenchFailed notAllowed(SQLException e, String right) {
        return new BenchFailed(
                "bench creates databases of its own on the server, and could not: "
                        + Passwords.masked(String.valueOf(e.getMessage()))
                        + "; to allow it: "
                        + right,
                e);
    }

    /** The place with more options, for the rival, after those that it has. */
    String with(String options) {
        return place + (place.indexOf('?') < 0 ? "?" : "&") + options;
    }

    @Override
    public String toString() {
        return Passwords.maskedUrl(place);
    }
}

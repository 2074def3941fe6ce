// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Passwords;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * URLs of SQL Server: {@code sqlserver://user:password@host:port/database?option=value}, and those
 * of its driver, {@code jdbc:sqlserver://host:port;databaseName=database;option=value}.
 */
final class SqlServerUrl {

    private static final String SLOTS = "slots";

    private SqlServerUrl() {}

    /** Whether the slots are wanted in memory-optimised tables: {@code slots=memory}. */
    static boolean wantsMemory(String url) {
        String slots = all(url).options().getOrDefault(SLOTS, "disk");
        if (!slots.equals("disk") && !slots.equals("memory")) {
            throw new IllegalArgumentException(
                    "slots=" + Passwords.masked(slots) + ": write slots=disk or =memory");
        }
        return slots.equals("memory");
    }

    /** Reads a URL; the options are those of the driver. */
    static ServerUrl parse(String url) {
        ServerUrl all = all(url);
        Map<String, String> options = new TreeMap<>(all.options());
        options.remove(SLOTS);
        return new ServerUrl(all.address(), all.user(), all.password(), options);
    }

    private static ServerUrl all(String url) {
        String rest = url.substring(url.indexOf("://") + 3);
        if (!rest.contains(";")) {
            return ServerUrl.parse(url);
        }
        List<String> parts = parts(rest);
        if (parts.get(0).contains("@")) {
            throw new IllegalArgumentException(
                    "the URL has a '@' and a ';': write user and password in front of the '@' and"
                            + " options behind a '?', or all of them behind a ';'");
        }
        Map<String, String> options = new TreeMap<>();
        String database = null;
        String user = null;
        String password = null;
        for (String part : parts.subList(1, parts.size())) {
            if (!part.isBlank()) {
                int is = ServerUrl.equalsIn(part, "put a value with a ';' in braces");
                String name = part.substring(0, is).strip();
                String value = unbraced(part.substring(is + 1).strip());
                switch (name.toLowerCase(Locale.ROOT)) {
                    case "databasename", "database" -> database = value;
                    case "user", "username" -> user = value;
                    case "password" -> password = value;
                    default -> options.put(name, value);
                }
            }
        }
        if (database == null) {
            throw new IllegalArgumentException(
                    "the URL names no database; write ;databaseName=DATABASE");
        }
        return new ServerUrl(parts.get(0) + "/" + database, user, password, options);
    }

    /** What stands between semicolons; those of a value in braces do not count. */
    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == ';') {
                parts.add(text.substring(from, at));
                from = at + 1;
            } else if (text.charAt(at) == '{' && text.substring(from, at).strip().endsWith("=")) {
                at = closing(text, at);
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    /** Where the brace is that closes another; two of them are one of the value. */
    private static int closing(String text, int opening) {
        int at = text.indexOf('}', opening);
        while (at >= 0 && text.startsWith("}}", at)) {
            at = text.indexOf('}', at + 2);
        }
        return at < 0 ? text.length() : at;
    }

    private static String unbraced(String value) {
        return value.startsWith("{") && value.endsWith("}")
                ? value.substring(1, value.length() - 1).replace("}}", "}")
                : value;
    }
}

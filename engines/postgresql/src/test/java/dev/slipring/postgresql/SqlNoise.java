// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Random calls of the functions for people, often nearly right, and seldom quite right. For one
 * thread.
 */
final class SqlNoise {

    /** The functions, with the types of their arguments. */
    private static final Map<String, List<String>> FUNCTIONS =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry("create", List.of("name", "int", "bigint", "bigint", "json")),
                            Map.entry("push", List.of("ring", "text", "text", "json")),
                            Map.entry("push ", List.of("ring", "bytea", "text", "json")),
                            Map.entry("push  ", List.of("ring", "json", "text", "json")),
                            Map.entry("push_all", List.of("ring", "text[]", "text", "json")),
                            Map.entry("push_all ", List.of("ring", "bytea[]", "text", "json")),
                            Map.entry("push_all  ", List.of("ring", "jsonb[]", "text", "json")),
                            Map.entry("claim", List.of("ring", "stage", "int", "text")),
                            Map.entry("done", List.of("claim", "bigint[]")),
                            Map.entry("fail", List.of("claim", "position", "text", "interval")),
                            Map.entry("extend", List.of("claim")),
                            Map.entry("give_back", List.of("claim")),
                            Map.entry("info", List.of("ring")),
                            Map.entry("messages", List.of("ring")),
                            Map.entry("dead", List.of("ring", "stage")),
                            Map.entry("dead_retry", List.of("ring", "stage", "text[]")),
                            Map.entry("dead_drop", List.of("ring", "stage", "text[]")),
                            Map.entry("permit", List.of("ring", "role", "act")),
                            Map.entry("tidy", List.of("ring"))));

    private static final Map<String, String> CASTS =
            Map.ofEntries(
                    Map.entry("name", "text"),
                    Map.entry("ring", "text"),
                    Map.entry("stage", "text"),
                    Map.entry("claim", "text"),
                    Map.entry("act", "text"),
                    Map.entry("role", "name"),
                    Map.entry("json", "jsonb"),
                    Map.entry("position", "bigint"));

    private static final List<String> TEXTS =
            List.of(
                    "",
                    "r",
                    "main",
                    "a",
                    "'; DROP SCHEMA slipring CASCADE; --",
                    "\"",
                    "$$",
                    "%s%I",
                    "a/b/0/1/new",
                    "🎡",
                    "\n",
                    "n".repeat(64),
                    "x".repeat(70_000));

    private static final List<String> JSONS =
            List.of(
                    "{}",
                    "[]",
                    "null",
                    "7",
                    "\"x\"",
                    "{\"h\": \"v\"}",
                    "{\"h\": 1, \"\": true}",
                    "{\"h\": null}",
                    "{\"h\": [1, {\"deep\": null}]}",
                    "[1]",
                    "[null]",
                    "[{}]",
                    "[{\"name\": \"a\"}]",
                    "[{\"name\": \"a\"}, {\"name\": \"a\"}]",
                    "[{\"name\": \"a\"}, {\"name\": \"b\", \"after\": [\"a\"]}]",
                    "[{\"name\": \"a\", \"after\": [\"b\"]}, {\"name\": \"b\", \"after\":"
                            + " [\"a\"]}]",
                    "[{\"name\": \"a\", \"after\": \"b\"}]",
                    "[{\"name\": \"a\", \"after\": [null]}]",
                    "[{\"name\": \"a\", \"after\": {}}]",
                    "[{\"name\": \"a\", \"ordered\": \"perhaps\"}]",
                    "[{\"name\": \"a\", \"ordered\": true, \"tries\": 0}]",
                    "[{\"name\": \"a\", \"tries\": 1e30}]",
                    "[{\"name\": \"a\", \"lease_ms\": -5}]",
                    "[{\"name\": \"a\", \"lease_ms\": 9e18}]",
                    "[{\"name\": \"a\", \"backoff_first_ms\": \"soon\"}]",
                    "[{\"name\": \"a\", \"backoff_most_ms\": -1}]",
                    "[{\"name\": \"a\", \"keep\": -1}]",
                    "[{\"name\": \"a\", \"unknown\": 1}]");

    private static final List<String> NUMBERS =
            List.of("0", "1", "2", "3", "-1", "1024", "1025", "2147483647", "-2147483648");

    private static final List<String> INTERVALS =
            List.of("0", "1 minute", "-1 hour", "99 years", "178000000 years", "1 microsecond");

    private final List<String> claims = new ArrayList<>();
    private final Map<String, String> positions = new HashMap<>();
    private Random random;
    private String function;
    private String claim;
    private List<String> types;
    private List<String> values;

    void begin(Random from) {
        random = from;
        List<String> names = List.copyOf(FUNCTIONS.keySet());
        function = names.get(random.nextInt(names.size()));
        types = FUNCTIONS.get(function);
        values = types.stream().map(this::value).collect(Collectors.toCollection(ArrayList::new));
    }

    private String any(List<String> some) {
        return some.get(random.nextInt(some.size()));
    }

    private String value(String type) {
        if (random.nextInt(15) == 0) {
            return null;
        }
        return switch (type) {
            case "ring" -> random.nextInt(4) > 0 ? "r" : any(TEXTS);
            case "name" -> random.nextInt(3) > 0 ? "new" + random.nextInt(1_000) : any(TEXTS);
            case "stage" -> random.nextInt(3) > 0 ? "main" : any(TEXTS);
            case "claim" -> claim();
            case "act" -> any(List.of("produce", "consume", "operate", "fly", ""));
            case "role" -> any(List.of("nobody", "", "\"x", "postgres"));
            case "json" -> any(JSONS);
            case "int" -> any(NUMBERS);
            case "position" -> random.nextInt(4) > 0 ? positions.get(claim) : value("bigint");
            case "bigint" -> random.nextInt(6) == 0 ? "" + random.nextLong() : any(NUMBERS);
            case "bytea" -> "\\x00ff";
            case "interval" -> any(INTERVALS);
            case "text[]", "bytea[]" ->
                    "{" + any(List.of("", "a,b", "NULL", "a,NULL", "{a},{b}", "0-1")) + "}";
            case "jsonb[]" -> "{" + any(List.of("", "1,null", "NULL", "{1},{2}")) + "}";
            case "bigint[]" -> "{" + any(List.of("", "0", "NULL", "1,1", "-1", "{0},{1}")) + "}";
            default -> any(TEXTS);
        };
    }

    /** The name of a claim that was handed out, sometimes with a part of it wrong. */
    private String claim() {
        if (claims.isEmpty() || random.nextInt(5) == 0) {
            return any(TEXTS);
        }
        claim = random.nextBoolean() ? claims.get(claims.size() - 1) : any(claims);
        String[] parts = claim.split("/");
        if (random.nextInt(3) == 0) {
            parts[random.nextInt(parts.length)] = any(random.nextBoolean() ? NUMBERS : TEXTS);
        }
        return String.join("/", parts);
    }

    String function() {
        return function.trim();
    }

    String sql() {
        return types.stream()
                .map(type -> "?::" + CASTS.getOrDefault(type, type))
                .collect(Collectors.joining(", ", "SELECT * FROM slipring." + function + "(", ")"));
    }

    void bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            statement.setString(i + 1, values.get(i));
        }
    }

    /** Keeps the names of the claims that were handed out, and a position of each. */
    void heard(ResultSet row) throws SQLException {
        if (function.equals("claim")) {
            claims.add(row.getString(1));
            positions.put(row.getString(1), row.getString(2));
        }
    }

    @Override
    public String toString() {
        return function
                + values.stream()
                        .map(value -> value == null ? "NULL" : "'" + shortened(value) + "'")
                        .toList();
    }

    private static String shortened(String value) {
        return value.length() > 100 ? value.substring(0, 100) + "…" : value;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.time.Duration;

/**
 * A URL {@code sqlite:FILE?option=value&...} in its parts.
 *
 * @param file the file, as it was written
 * @param options the options
 */
record SqliteUrl(String file, Options options) {

    /**
     * How a store is used.
     *
     * @param fullSync whether a push is on the disk when it returns; if not, a loss of power may
     *     take back the last pushes
     * @param durableSettle whether a worker's word is on the disk when it is taken
     * @param busy how long to wait for a lock of another process
     * @param oneMachine whether no other machine opens the file, wherever it is
     */
    record Options(boolean fullSync, boolean durableSettle, Duration busy, boolean oneMachine) {

        /** What holds if nobody says otherwise. */
        static final Options DEFAULT = new Options(true, false, Duration.ofSeconds(30), false);

        Options synced(boolean full) {
            return new Options(full, durableSettle, busy, oneMachine);
        }

        Options settled(boolean durable) {
            return new Options(fullSync, durable, busy, oneMachine);
        }

        Options patient(Duration wait) {
            return new Options(fullSync, durableSettle, wait, oneMachine);
        }

        Options ofOneMachine(boolean one) {
            return new Options(fullSync, durableSettle, busy, one);
        }
    }

    private static final String KNOWN =
            "synchronous=full|normal, done=relaxed|synced, busy=SECONDS, machines=one";
    private static final int MOST_BUSY = 86_400;

    static boolean accepts(String url) {
        return url.startsWith("sqlite:") || url.startsWith("jdbc:sqlite:");
    }

    static SqliteUrl parse(String url) {
        String rest = url.substring(url.indexOf("sqlite:") + "sqlite:".length());
        int mark = rest.indexOf('?');
        String file = mark < 0 ? rest : rest.substring(0, mark);
        if (file.isEmpty()) {
            throw new IllegalArgumentException(
                    "the URL '" + url + "' names no file; write sqlite:FILE");
        }
        if (file.equals(":memory:")) {
            throw new IllegalArgumentException(
                    "a SQLite database in memory cannot be shared by the connections"
                            + " of a store; use 'memory:' instead");
        }
        if (file.startsWith("file:") || file.startsWith(":")) {
            throw new IllegalArgumentException(
                    "'" + file + "' is not the name of a file; write sqlite:FILE");
        }
        Options options = Options.DEFAULT;
        if (mark >= 0) {
            for (String option : rest.substring(mark + 1).split("&")) {
                options = with(options, option);
            }
        }
        return new SqliteUrl(file, options);
    }

    private static Options with(Options options, String option) {
        int equals = option.indexOf('=');
        String name = equals < 0 ? option : option.substring(0, equals);
        String value = equals < 0 ? "" : option.substring(equals + 1);
        return switch (name) {
            case "" -> options;
            case "synchronous" -> options.synced(choice(name, value, "full", "normal"));
            case "done" -> options.settled(choice(name, value, "synced", "relaxed"));
            case "busy" -> options.patient(seconds(value));
            case "machines" -> options.ofOneMachine(choice(name, value, "one", "one"));
            default ->
                    throw new IllegalArgumentException(
                            "unknown option '"
                                    + name
                                    + "' in a SQLite URL; the options are "
                                    + KNOWN);
        };
    }

    private static boolean choice(String name, String value, String yes, String no) {
        if (!value.equals(yes) && !value.equals(no)) {
            throw new IllegalArgumentException(
                    "option "
                            + name
                            + "="
                            + value
                            + " in a SQLite URL is not allowed; the options are "
                            + KNOWN);
        }
        return value.equals(yes);
    }

    private static Duration seconds(String value) {
        if (!value.matches("\\d{1,5}") || Integer.parseInt(value) > MOST_BUSY) {
            throw new IllegalArgumentException(
                    "option busy="
                            + value
                            + " in a SQLite URL is not allowed; use 0 to 86400 seconds");
        }
        return Duration.ofSeconds(Integer.parseInt(value));
    }
}

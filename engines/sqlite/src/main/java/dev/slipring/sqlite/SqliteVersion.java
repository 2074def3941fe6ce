// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;

import java.util.Arrays;

/** Which versions of SQLite a file with a write-ahead log is safe with. */
final class SqliteVersion {

    private SqliteVersion() {}

    /** Refuses a connection whose library may damage the file. */
    static void check(Statements statements) {
        String version = statements.first("SELECT sqlite_version()", row -> row.getString(1));
        if (!isSafe(version)) {
            throw new StoreFailed(
                    "SQLite "
                            + version
                            + " may damage a file that several connections write to (its bug in"
                            + " the reset of the log, mended in 3.51.3); use sqlite-jdbc 3.51.3 or"
                            + " newer");
        }
    }

    /**
     * Whether a version does not have the bug of {@code sqlite.org/wal.html#walresetbug}: from
     * 3.51.3 on, and in two older lines.
     */
    static boolean isSafe(String version) {
        int[] parts =
                Arrays.stream(version.split("\\.")).limit(3).mapToInt(Integer::parseInt).toArray();
        int line = parts[0] * 1_000 + parts[1];
        int patch = parts.length > 2 ? parts[2] : 0;
        return line > 3_051
                || line == 3_051 && patch >= 3
                || line == 3_050 && patch >= 7
                || line == 3_044 && patch >= 6;
    }
}

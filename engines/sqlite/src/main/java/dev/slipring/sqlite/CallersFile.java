// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;

import java.nio.file.Path;

/**
 * The file that a caller's connection has open, which is checked before its transaction is joined.
 */
final class CallersFile {

    private CallersFile() {}

    /**
     * Refuses a connection in whose transactions no ring of the file can take part.
     *
     * @param file the file of the store
     */
    static void check(Statements statements, Path file) {
        String other = SqliteFile.of(statements);
        if (!SqliteFile.isSame(other, file)) {
            throw new StoreFailed(
                    "the connection is to "
                            + (other.isEmpty() ? "a database in memory" : other)
                            + ", the ring is in "
                            + file
                            + "; a transaction is within one file");
        }
        SqliteFile.requireOneName(Path.of(other));
        SqliteVersion.check(statements);
        if (statements.number("PRAGMA synchronous").orElse(0) == 0) {
            // Such a connection may begin the log anew before what others pushed is on the disk.
            throw new StoreFailed(
                    "the connection has PRAGMA synchronous = OFF, which could lose what others"
                            + " have pushed to "
                            + file
                            + "; join one with NORMAL or FULL");
        }
        if (statements
                .number(
                        "SELECT 1 FROM sqlite_temp_schema WHERE name LIKE 'slipring\\_%' ESCAPE"
                                + " '\\'")
                .isPresent()) {
            throw new StoreFailed(
                    "the connection has temporary tables whose names begin with 'slipring_', in"
                            + " front of those of "
                            + file
                            + "; drop them, or join another");
        }
    }
}

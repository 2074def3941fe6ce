// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.NewerSchema;
import dev.slipring.Schema;
import dev.slipring.engine.Opening;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The tables of Slipring in a file: which version is there, and what brings it to the current one.
 */
final class SqliteSchema {

    /** The version that this engine works with, and the number of the last script. */
    static final int CURRENT = 1;

    private SqliteSchema() {}

    /** The scripts from nothing to the current version. */
    static List<String> scripts() {
        return IntStream.rangeClosed(1, CURRENT).mapToObj(SqliteSchema::script).toList();
    }

    /** The state of a file. */
    static Schema of(Statements statements) {
        return new Schema(installed(statements), CURRENT, scripts());
    }

    /** The version in a file; 0 if there is none. */
    static int installed(Statements statements) {
        boolean any =
                statements
                                .number(
                                        "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
                                                + " AND name = 'slipring_schema'")
                                .orElse(0)
                        > 0;
        return any ? (int) statements.number("SELECT version FROM slipring_schema").orElse(0) : 0;
    }

    /** Makes or upgrades the tables; of several processes that do so at once one does it. */
    static void migrate(Statements statements, LockPatience patience, String file) {
        migrate(statements, patience, file, scripts());
    }

    /** Runs of these scripts those that were not run yet: all of them, or none. */
    static void migrate(
            Statements statements, LockPatience patience, String file, List<String> scripts) {
        int known = scripts.size();
        if (checked(patience.insist(() -> installed(statements)), known, file) == known) {
            return;
        }
        patience.insist(() -> statements.control("BEGIN IMMEDIATE"));
        boolean done = false;
        try {
            int installed = checked(installed(statements), known, file);
            scripts.stream().skip(installed).forEach(statements::run);
            patience.insist(() -> statements.control("COMMIT"));
            done = true;
        } finally {
            if (!done) {
                statements.rollback();
            }
        }
    }

    /** Refuses tables of a newer version, whose rules are unknown here. */
    static int checked(int installed, String file) {
        return checked(installed, CURRENT, file);
    }

    private static int checked(int installed, int known, String file) {
        if (installed > known) {
            throw new NewerSchema("the file " + file, installed, known);
        }
        return installed;
    }

    /** Refuses tables of an older version, or none. */
    static void require(int installed, String file) {
        Opening.requireCurrent(checked(installed, file), CURRENT, "the file " + file);
    }

    private static String script(int version) {
        String name = String.format(Locale.ROOT, "schema/%03d.sql", version);
        try (InputStream in = SqliteSchema.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.NewerSchema;
import dev.slipring.Schema;
import dev.slipring.engine.Opening;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * The tables of Slipring in a database: which version is there, and what brings it to the current
 * one.
 */
final class JdbcSchema {

    /** The version that this engine works with. */
    static final int CURRENT = 1;

    private JdbcSchema() {}

    static Schema of(JdbcTransactor transactor) {
        return new Schema(installed(transactor), CURRENT, transactor.dialect().scripts());
    }

    /** The version in a database; 0 if there is none. */
    static int installed(JdbcTransactor transactor) {
        return installed(transactor::ask, transactor.dialect());
    }

    /** The same, asked in a way of one's own. */
    static int installed(Consumer<Script> ask, Dialect dialect) {
        Answer<Integer> tables = new Answer<>(0, row -> row.getInt(1));
        ask.accept(new Script().read(dialect.schemaQuery(), tables));
        Answer<Integer> version = new Answer<>(0, row -> row.getInt(1));
        if (tables.value() > 0) {
            ask.accept(new Script().read("SELECT version FROM slipring_schema", version));
        }
        return version.value();
    }

    /** Makes or upgrades the tables; of several processes that do so at once one does it. */
    static void migrate(JdbcTransactor transactor) {
        migrate(transactor, transactor.dialect().scripts(), CURRENT);
    }

    /** Runs these scripts, which bring the tables to a version, unless they are there already. */
    static void migrate(JdbcTransactor transactor, List<String> scripts, int version) {
        if (checked(installed(transactor), version, transactor.server()) == version) {
            return;
        }
        Dialect dialect = transactor.dialect();
        Session session = transactor.sessions().take();
        try {
            // Somebody else may make them while this waits. Those are in use, too.
            IntSupplier now = () -> installed(session::run, dialect);
            dialect.migrate(
                    session,
                    scripts,
                    () -> checked(now.getAsInt(), version, transactor.server()) == version);
        } finally {
            transactor.sessions().give(session, true);
        }
    }

    /** Refuses tables of a newer version, whose rules are unknown here. */
    static int checked(int installed, String server) {
        return checked(installed, CURRENT, server);
    }

    private static int checked(int installed, int known, String server) {
        if (installed > known) {
            throw new NewerSchema("the database " + server, installed, known);
        }
        return installed;
    }

    /** Refuses tables of an older version, or none. */
    static void require(JdbcTransactor transactor) {
        int installed = checked(installed(transactor), transactor.server());
        Opening.requireCurrent(installed, CURRENT, "the database " + transactor.server());
    }

    static String script(String name) {
        try (InputStream in = JdbcSchema.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}

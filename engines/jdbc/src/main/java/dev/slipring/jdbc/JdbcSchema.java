// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.NewerSchema;
import dev.slipring.Schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

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
        if (checked(installed(transactor), transactor.server()) == CURRENT) {
            return;
        }
        Session session = transactor.sessions().take();
        try {
            transactor.dialect().migrate(session, transactor.dialect().scripts());
        } finally {
            transactor.sessions().give(session, true);
        }
    }

    /** Refuses tables of a newer version, whose rules are unknown here. */
    static int checked(int installed, String server) {
        if (installed > CURRENT) {
            throw new NewerSchema("the database " + server, installed, CURRENT);
        }
        return installed;
    }

    static String script(String name) {
        try (InputStream in = JdbcSchema.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}

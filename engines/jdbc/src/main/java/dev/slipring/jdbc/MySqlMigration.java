// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;

import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Makes the schema on MariaDB and MySQL, one process at a time: these servers commit each statement
 * of it by itself.
 */
final class MySqlMigration {

    /** What begins a script with procedures, for the servers' own clients. */
    private static final String DELIMITER = "DELIMITER $$";

    /**
     * Errors of a change that was made before: there is such a column or index, or none to drop. An
     * upgrade that was cut off is run again from its beginning.
     */
    private static final Set<Integer> MADE = Set.of(1060, 1061, 1091);

    private final Session session;

    MySqlMigration(Session session) {
        this.session = session;
    }

    /** The scripts, each with the mode that its words need: they are keywords in others. */
    static List<String> scripts() {
        String tables = MySqlSettings.MODE + ";\n\n" + JdbcSchema.script("mysql/001.sql");
        String mode = DELIMITER + "\n\n" + MySqlSettings.MODE + "$$";
        Stream<String> others =
                Stream.of("extent", "lowest", "empty", "push", "claim", "move", "extend", "version")
                        .map(name -> JdbcSchema.script("mysql/" + name + ".sql"))
                        .map(script -> script.replace(DELIMITER, mode));
        return Stream.concat(Stream.of(tables), others).toList();
    }

    /** The statements of a script; with procedures in it they end in another mark. */
    static List<String> statements(String script) {
        String end = script.contains(DELIMITER) ? "\\$\\$\\s*\\n" : ";\\s*\\n";
        return Stream.of(script.replaceAll("(?m)^DELIMITER .*$", "").split(end))
                .map(statement -> statement.replaceAll("(?m)--.*$", "").trim())
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    void run(List<String> scripts, BooleanSupplier isDone) {
        try (Held held = lock()) {
            session.run(
                    new Script().run(MySqlSettings.MODE).run("SET SESSION lock_wait_timeout = 60"));
            if (isDone.getAsBoolean()) {
                // By another process, while this one waited. Its procedures are in use.
                return;
            }
            scripts.forEach(this::run);
        }
    }

    /**
     * The lock, and the settings of the session as they were: a resource, so that what fails at its
     * end does not hide what failed before.
     */
    private interface Held extends AutoCloseable {

        @Override
        void close();
    }

    private Held lock() {
        Answer<Boolean> locked = new Answer<>(false, row -> row.getInt(1) == 1);
        session.run(
                new Script()
                        .read("SELECT GET_LOCK('slipring_migrate', 60)", locked)
                        .run(
                                "SET @slipring_mode = @@SESSION.sql_mode,"
                                        + " @slipring_wait = @@SESSION.lock_wait_timeout"));
        if (!locked.value()) {
            throw new StoreFailed(
                    "another process has been making the schema for a minute; look what it does"
                            + " (SHOW PROCESSLIST), and try again");
        }
        return this::unlock;
    }

    private void unlock() {
        session.run(
                new Script()
                        .run(
                                "SET SESSION sql_mode = @slipring_mode,"
                                        + " lock_wait_timeout = @slipring_wait")
                        .read("SELECT RELEASE_LOCK('slipring_migrate')", row -> row.getInt(1)));
    }

    private void run(String script) {
        try {
            statements(script).forEach(this::change);
        } catch (SqlFailed failed) {
            boolean isOfProcedures = script.contains(DELIMITER);
            if (!isOfProcedures || !MySqlTrouble.NOT_ALLOWED.contains(failed.number())) {
                throw failed;
            }
            // Who may not make procedures goes without, but not with those of another version.
            if (hasProcedures()) {
                throw failed;
            }
        }
    }

    private void change(String sql) {
        try {
            session.run(new Script().run(sql));
        } catch (SqlFailed failed) {
            if (!MADE.contains(failed.number())) {
                throw failed;
            }
        }
    }

    private boolean hasProcedures() {
        Answer<Boolean> any = new Answer<>(false, row -> row.getInt(1) > 0);
        session.run(
                new Script()
                        .read(
                                "SELECT COUNT(*) FROM information_schema.routines WHERE"
                                        + " routine_schema = DATABASE()"
                                        + " AND routine_name LIKE 'slipring\\_%'",
                                any));
        return any.value();
    }
}

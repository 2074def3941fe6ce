// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.NewerSchema;
import dev.slipring.Schema;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Opening;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The schema {@code slipring} of a database: which version is there, and what brings it to this
 * one.
 */
final class PostgresSchema {

    /** The version that this engine works with, and the number of the last script. */
    static final int CURRENT = 1;

    /** For each version the parts of its script, in their order. */
    private static final List<List<String>> PARTS =
            List.of(
                    Stream.of(
                                    "table", "size", "lock", "segment", "own", "room", "push",
                                    "strand", "word", "settle", "again", "claim", "step", "take",
                                    "change", "right", "tidy", "declare", "people", "reader",
                                    "dead", "grant")
                            .map(part -> "001/" + part)
                            .toList());

    /** While a change of a table waits for an open transaction, all others wait behind it. */
    private static final String PATIENCE =
            "SELECT pg_catalog.set_config('lock_timeout', '60s', true)"
                    + " WHERE pg_catalog.current_setting('lock_timeout') = '0'";

    private static final String LOCK =
            "SELECT pg_advisory_xact_lock(hashtextextended('slipring schema', 7157))";

    /**
     * The owner of the schema, whether this role has the owner's rights, and whether it is a member
     * of that role; no row if there is no schema. This reads the catalog's rows: a name that was
     * once looked up in vain may be taken for missing for a while, even under a lock.
     */
    private static final String OWNER =
            "SELECT pg_catalog.pg_get_userbyid(n.nspowner),"
                    + " pg_catalog.pg_has_role(n.nspowner, 'USAGE'),"
                    + " pg_catalog.pg_has_role(n.nspowner, 'MEMBER')"
                    + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n"
                    + " ON n.oid = c.relnamespace"
                    + " WHERE n.nspname = 'slipring' AND c.relname = 'schema'";

    /**
     * The version; no row if what was set when the schema was made is not there, rows or sequences,
     * or is not seen. What a newer schema has is not known.
     */
    private static final String VERSION =
            "SELECT version FROM slipring.schema WHERE version > "
                    + CURRENT
                    + " OR pg_catalog.pg_sequence_last_value("
                    + "pg_catalog.to_regclass('slipring.page')) IS NOT NULL";

    /** What an upgrade adds belongs to whom the rest belongs, not to the member that runs it. */
    private static final String AS_OWNER =
            "SELECT pg_catalog.set_config('role', pg_catalog.pg_get_userbyid(n.nspowner), true)"
                    + " FROM pg_catalog.pg_namespace n WHERE n.nspname = 'slipring'";

    private static final String HIDDEN =
            "SELECT pg_catalog.row_security_active('slipring.schema'::pg_catalog.regclass)";

    private PostgresSchema() {}

    /** The scripts from nothing to the current version. */
    static List<String> scripts() {
        return PARTS.stream().map(PostgresSchema::script).toList();
    }

    /** The state of a database. */
    static Schema of(Statements statements) {
        return new Schema(installed(statements), CURRENT, scripts());
    }

    /** The version in a database; 0 if there is none. */
    static int installed(Statements statements) {
        Boolean there = statements.first(OWNER, PostgresSchema::checkOwner);
        if (there == null) {
            return 0;
        }
        return (int) statements.number(VERSION).orElseThrow(() -> withoutData(statements));
    }

    private static StoreFailed withoutData(Statements statements) {
        if (statements.first(HIDDEN, row -> row.getBoolean(1))) {
            return new StoreFailed(
                    "row security hides what the schema 'slipring' has, also from its owner; run"
                            + " ALTER TABLE slipring.schema NO FORCE ROW LEVEL SECURITY, and the"
                            + " same for its other tables; nothing was run");
        }
        return new StoreFailed(
                "the schema 'slipring' is here without its data or that of its sequences, as a"
                        + " dump of the schema only and logical replication leave it; drop it"
                        + " (DROP SCHEMA slipring CASCADE) and run 'slipring migrate apply', or"
                        + " restore all of its data; nothing was run");
    }

    /** Refuses another's schema: what it has in it would run with the rights of this role. */
    private static boolean checkOwner(ResultSet row) throws SQLException {
        String owner = row.getString(1);
        if (row.getBoolean(2)) {
            return true;
        }
        throw new StoreFailed(
                "the schema 'slipring' belongs to role '"
                        + owner
                        + (row.getBoolean(3)
                                ? "', and this role is a member of it that does not inherit its"
                                        + " rights: GRANT owner TO role WITH INHERIT TRUE (before"
                                        + " PostgreSQL 16: ALTER ROLE role INHERIT), or connect"
                                        + " with options=-c%20role="
                                        + owner
                                : "', and this role is no member of it; if that is who installed"
                                        + " Slipring: GRANT owner TO role")
                        + "; nothing was run");
    }

    /** Makes or upgrades the schema; of several processes that do so at once one does it. */
    static void migrate(Connections connections, String place) {
        migrate(connections, place, scripts());
    }

    /** Runs of these scripts those that were not run yet: all of them, or none. */
    static void migrate(Connections connections, String place, List<String> scripts) {
        int known = scripts.size();
        if (checked(connections.alone(PostgresSchema::installed), known, place) == known) {
            return;
        }
        connections.inTransaction(
                Connections.READ_COMMITTED,
                statements -> {
                    statements.call(PATIENCE);
                    statements.call(LOCK);
                    int installed = checked(installed(statements), known, place);
                    if (installed > 0) {
                        statements.call(AS_OWNER);
                    }
                    scripts.stream().skip(installed).forEach(statements::run);
                    return null;
                });
    }

    /** Refuses a database whose texts cannot be those of messages and names. */
    static void checkEncoding(Connections connections, String place) {
        String encoding =
                connections.alone(
                        statements ->
                                statements.first(
                                        "SELECT pg_catalog.getdatabaseencoding()",
                                        row -> row.getString(1)));
        if (!encoding.equals("UTF8")) {
            throw new StoreFailed(
                    "the database "
                            + place
                            + " keeps text as "
                            + encoding
                            + "; Slipring needs one that is made WITH ENCODING 'UTF8'");
        }
    }

    /** Refuses a schema of a newer version, whose rules are unknown here. */
    static int checked(int installed, String place) {
        return checked(installed, CURRENT, place);
    }

    private static int checked(int installed, int known, String place) {
        if (installed > known) {
            throw new NewerSchema("the schema in " + place, installed, known);
        }
        return installed;
    }

    /** Refuses a schema of an older version, or none. */
    static void require(Statements statements, String place) {
        int installed = checked(installed(statements), place);
        Opening.requireCurrent(installed, CURRENT, "the database " + place);
    }

    private static String script(List<String> parts) {
        return parts.stream().map(PostgresSchema::part).collect(Collectors.joining("\n"));
    }

    private static String part(String part) {
        String name = "schema/" + part + ".sql";
        try (InputStream in = PostgresSchema.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}

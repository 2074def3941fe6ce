// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.subject.Sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** The texts' queues in procedures of PostgreSQL. */
final class PostgresSources extends ProcedureSources {

    PostgresSources() {
        super("extract(epoch FROM clock_timestamp())", "(?, ?, ?, NULL)");
    }

    @Override
    public List<SourceSystem> systems(long slots) {
        return new PostgresSystems(slots).all();
    }

    /** Sets it for the database: each queue has a database of its own. */
    @Override
    public Relaxed relax(Way way) throws SQLException {
        try (Connection connection = way.connect()) {
            Sql.run(
                    connection,
                    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off',"
                            + " current_database()); END $$");
        }
        return Relaxed.FOR_GOOD;
    }

    @Override
    String procedure(String way, String body, int most) {
        String commit =
                "taken := taken + 1; IF taken >= "
                        + most
                        + " OR found_rows = 0 THEN COMMIT; taken := 0; END IF;";
        String loop =
                "  WHILE extract(epoch FROM clock_timestamp()) < %s LOOP\n"
                        + (most > 1 ? body.replace("COMMIT;", commit) : body).replace("%", "%%")
                        + "  END LOOP;\n";
        return "CREATE PROCEDURE source_"
                + way
                + " (from_time FLOAT8, until_time FLOAT8, slots BIGINT, INOUT moved BIGINT)"
                + " LANGUAGE plpgsql AS $$\n"
                + "DECLARE n BIGINT; found_rows BIGINT; body TEXT; taken INT := 0;"
                + " earlier BIGINT;\n"
                + "BEGIN\n"
                + "  moved := 0;\n"
                + String.format(Locale.ROOT, loop, "from_time")
                + "  earlier := moved;\n"
                + String.format(Locale.ROOT, loop, "until_time")
                + "  COMMIT;\n"
                + "  moved := moved - earlier;\n"
                + "END $$";
    }
}

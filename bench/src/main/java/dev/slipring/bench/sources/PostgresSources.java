// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The texts' queues in procedures of PostgreSQL. */
final class PostgresSources extends ProcedureSources {

    PostgresSources() {
        super("extract(epoch FROM clock_timestamp())", "(?, ?, NULL)");
    }

    @Override
    public List<SourceSystem> systems(long slots) {
        return new PostgresSystems(slots).all();
    }

    /** Sets it for the database: each queue has a database of its own. */
    @Override
    public Relaxed relax(Way way) throws SQLException {
        try (Connection connection = way.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
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
        return "CREATE PROCEDURE source_"
                + way
                + " (until_time FLOAT8, slots BIGINT, INOUT moved BIGINT) LANGUAGE plpgsql AS $$\n"
                + "DECLARE n BIGINT; found_rows BIGINT; body TEXT; taken INT := 0;\n"
                + "BEGIN\n"
                + "  moved := 0;\n"
                + "  WHILE extract(epoch FROM clock_timestamp()) < until_time LOOP\n"
                + (most > 1 ? body.replace("COMMIT;", commit) : body)
                + "  END LOOP;\n"
                + "  COMMIT;\n"
                + "END $$";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

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

    /** Each queue has a database of its own, which goes as a whole. */
    @Override
    public List<String> removal() {
        return List.of();
    }

    @Override
    String procedure(String way, String body) {
        return "CREATE PROCEDURE source_"
                + way
                + " (until_time FLOAT8, slots BIGINT, INOUT moved BIGINT) LANGUAGE plpgsql AS $$\n"
                + "DECLARE n BIGINT; found_rows BIGINT; body TEXT;\n"
                + "BEGIN\n"
                + "  moved := 0;\n"
                + "  WHILE extract(epoch FROM clock_timestamp()) < until_time LOOP\n"
                + body
                + "  END LOOP;\n"
                + "END $$";
    }
}

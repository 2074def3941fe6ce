// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.util.ArrayList;
import java.util.List;

/** The texts' queues in procedures of MariaDB or MySQL. */
final class MySqlSources extends ProcedureSources {

    private final boolean hasSequences;

    /**
     * Queues.
     *
     * @param hasSequences whether the server has them, and tables of numbers: MariaDB
     */
    MySqlSources(boolean hasSequences) {
        super("UNIX_TIMESTAMP(SYSDATE(6))", "(?, ?)");
        this.hasSequences = hasSequences;
    }

    @Override
    public List<SourceSystem> systems(long slots) {
        return new MySqlSystems(hasSequences, slots).all();
    }

    @Override
    public List<String> removal() {
        List<String> drops = new ArrayList<>();
        for (String name : List.of("ring", "push_counter", "pop_counter", "place")) {
            drops.add("DROP TABLE IF EXISTS source_" + name);
        }
        for (String way : List.of("push", "pop")) {
            if (hasSequences) {
                drops.add("DROP SEQUENCE IF EXISTS source_" + way + "_sequence");
            }
            drops.add("DROP PROCEDURE IF EXISTS source_" + way);
        }
        return drops;
    }

    /** Moves until a time; what ends in a deadlock it tries again. */
    @Override
    String procedure(String way, String body) {
        return "CREATE PROCEDURE source_"
                + way
                + " (IN until_time DOUBLE, IN slots BIGINT)\n"
                + "BEGIN\n"
                + "  DECLARE moved BIGINT DEFAULT 0;\n"
                + "  DECLARE n BIGINT;\n"
                + "  DECLARE found BIGINT;\n"
                + "  DECLARE CONTINUE HANDLER FOR 1205, 1213 BEGIN END;\n"
                + "  WHILE UNIX_TIMESTAMP(SYSDATE(6)) < until_time DO\n"
                + body
                + "  END WHILE;\n"
                + "  SELECT moved;\n"
                + "END";
    }
}

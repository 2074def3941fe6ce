// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.util.List;

/**
 * A queue as a text describes it.
 *
 * @param name what it is called in the rows
 * @param tables the statements that make it, empty or with all slots free
 * @param push statements of a procedure that push one message; they count it in {@code moved}
 * @param pop statements of a procedure that take one message; they count it in {@code moved}
 */
record SourceSystem(String name, List<String> tables, String push, String pop) {

    /** The procedure that pushes or pops until a time; what ends in a deadlock it tries again. */
    String procedure(boolean pushes) {
        return "CREATE OR REPLACE PROCEDURE source_"
                + (pushes ? "push" : "pop")
                + " (IN until_time DOUBLE, IN slots BIGINT)\n"
                + "BEGIN\n"
                + "  DECLARE moved BIGINT DEFAULT 0;\n"
                + "  DECLARE n BIGINT;\n"
                + "  DECLARE found BIGINT;\n"
                + "  DECLARE CONTINUE HANDLER FOR 1205, 1213 BEGIN END;\n"
                + "  WHILE UNIX_TIMESTAMP(SYSDATE(6)) < until_time DO\n"
                + (pushes ? push : pop)
                + "  END WHILE;\n"
                + "  SELECT moved;\n"
                + "END";
    }
}

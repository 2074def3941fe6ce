// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rows of cells, made by the server, some thousand at a time. */
final class MySqlCells {

    private static final int BASE = 16;
    private static final int AT_ONCE = BASE * BASE * BASE;

    private static final String DIGIT =
            IntStream.range(1, BASE)
                    .mapToObj(digit -> " UNION ALL SELECT " + digit)
                    .collect(Collectors.joining("", "(SELECT 0 AS n", ")"));

    private static final String NUMBER =
            "low.n + " + BASE + " * mid.n + " + BASE * BASE + " * top.n";

    private MySqlCells() {}

    /** Statements that insert the cells of an extent. */
    static List<Script.Step> inserts(long ring, int lane, Extent extent) {
        List<Script.Step> inserts = new ArrayList<>();
        for (long done = 0; done < extent.cells(); done += AT_ONCE) {
            String sql =
                    "INSERT INTO slipring_slot (ring, lane, cell, turn, first_position, messages,"
                            + " producer, number, pushed_at, size, pieces, body)"
                            + (" SELECT " + ring + ", " + lane + ", ")
                            + (extent.cell() + done + " + " + NUMBER)
                            + ", -1, -1, 0, 0, 0, 0, 0, 0, ''"
                            + (" FROM " + DIGIT + " AS low CROSS JOIN " + DIGIT + " AS mid")
                            + (" CROSS JOIN " + DIGIT + " AS top")
                            + (" WHERE " + NUMBER + " < " + (extent.cells() - done))
                            + " ORDER BY 3";
            inserts.add(new Script.Step(sql, new Object[0], null));
        }
        return inserts;
    }
}

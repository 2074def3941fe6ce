// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.RingBroken;

import java.util.List;
import java.util.function.Consumer;

/** Looks for rows that a ring must have, and for rows of lanes and stages that it has not. */
final class LostRows {

    /** How many lanes and stages a ring has, rows for them, and rows in all. */
    private static final String ROWS =
            "SELECT r.lanes, (SELECT COUNT(*) FROM slipring_stage s WHERE s.ring = r.id),"
                    + " (SELECT COUNT(*) FROM slipring_lane l"
                    + " WHERE l.ring = r.id AND l.lane BETWEEN 0 AND r.lanes - 1),"
                    + " (SELECT COUNT(*) FROM slipring_gate g"
                    + " WHERE g.ring = r.id AND g.lane BETWEEN 0 AND r.lanes - 1),"
                    + " (SELECT COUNT(*) FROM slipring_strand t JOIN slipring_stage n"
                    + " ON n.ring = t.ring AND n.name = t.stage"
                    + " WHERE t.ring = r.id AND t.lane BETWEEN 0 AND r.lanes - 1),"
                    + " (SELECT COUNT(*) FROM slipring_lane l WHERE l.ring = r.id),"
                    + " (SELECT COUNT(*) FROM slipring_gate g WHERE g.ring = r.id),"
                    + " (SELECT COUNT(*) FROM slipring_strand t WHERE t.ring = r.id)"
                    + " FROM slipring_ring r WHERE r.name = ?";

    private static final List<String> TABLES =
            List.of("slipring_lane", "slipring_gate", "slipring_strand");

    private LostRows() {}

    /**
     * Throws if rows of the ring are lost; a ring that is not there has lost none.
     *
     * @param ask how to ask the server
     * @param ring its name
     */
    static void check(Consumer<Script> ask, String ring) {
        ask.accept(
                new Script()
                        .read(
                                ROWS,
                                row -> {
                                    int lanes = row.getInt(1);
                                    int strands = lanes * row.getInt(2);
                                    int[] wanted = {lanes, lanes, strands};
                                    for (int i = 0; i < TABLES.size(); i++) {
                                        String table = TABLES.get(i);
                                        int found = row.getInt(3 + i);
                                        expect(ring, table, wanted[i], found);
                                        refuse(ring, table, row.getInt(6 + i) - found);
                                    }
                                },
                                ring));
    }

    private static void refuse(String ring, String table, int others) {
        if (others > 0) {
            throw new RingBroken(
                    ring,
                    table
                            + " has "
                            + others
                            + " rows of lanes or stages that it has not; delete them");
        }
    }

    private static void expect(String ring, String table, int expected, int found) {
        if (found != expected) {
            String rows = found + " of " + expected + " rows of " + table;
            throw new RingBroken(
                    ring, rows + " are there; restore what was deleted, or drop the ring");
        }
    }
}

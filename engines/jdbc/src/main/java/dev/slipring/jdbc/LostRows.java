// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.RingBroken;

import java.util.function.Consumer;

/** Looks for rows that a ring must have, and somebody has deleted. */
final class LostRows {

    /** How many lanes and stages a ring has, and rows for them. */
    private static final String ROWS =
            "SELECT r.lanes, (SELECT COUNT(*) FROM slipring_stage s WHERE s.ring = r.id),"
                    + " (SELECT COUNT(*) FROM slipring_lane l"
                    + " WHERE l.ring = r.id AND l.lane < r.lanes),"
                    + " (SELECT COUNT(*) FROM slipring_gate g"
                    + " WHERE g.ring = r.id AND g.lane < r.lanes),"
                    + " (SELECT COUNT(*) FROM slipring_strand t JOIN slipring_stage n"
                    + " ON n.ring = t.ring AND n.name = t.stage"
                    + " WHERE t.ring = r.id AND t.lane < r.lanes)"
                    + " FROM slipring_ring r WHERE r.name = ?";

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
                                    expect(ring, "slipring_lane", lanes, row.getInt(3));
                                    expect(ring, "slipring_gate", lanes, row.getInt(4));
                                    expect(ring, "slipring_strand", strands, row.getInt(5));
                                },
                                ring));
    }

    private static void expect(String ring, String table, int expected, int found) {
        if (found != expected) {
            String rows = found + " of " + expected + " rows of " + table;
            throw new RingBroken(
                    ring, rows + " are there; restore what was deleted, or drop the ring");
        }
    }
}

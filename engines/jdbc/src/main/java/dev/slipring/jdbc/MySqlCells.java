// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rows of cells: made by the server, some thousand at a time, and written in place. */
final class MySqlCells {

    private static final int BASE = 16;
    private static final int AT_ONCE = BASE * BASE * BASE;

    private static final String DIGIT =
            IntStream.range(1, BASE)
                    .mapToObj(digit -> " UNION ALL SELECT " + digit)
                    .collect(Collectors.joining("", "(SELECT 0 AS n", ")"));

    private static final String NUMBER =
            "low.n + " + BASE + " * mid.n + " + BASE * BASE + " * top.n";

    /** How many columns name a cell. */
    private static final int KEY = 3;

    private static final String INSERT =
            "INSERT INTO slipring_slot (ring, lane, cell, turn, first_position, messages,"
                    + " producer, number, pushed_at, size, pieces, body)";

    private static final String EMPTY = "-1, -1, 0, 0, 0, 0, 0, 0, ''";

    private MySqlCells() {}

    /** Writes a slot in one statement. */
    static Script put(Object[] slot) {
        String sql =
                INSERT
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                        + " ON DUPLICATE KEY UPDATE turn = VALUES(turn),"
                        + " first_position = VALUES(first_position),"
                        + " messages = VALUES(messages), producer = VALUES(producer),"
                        + " number = VALUES(number), pushed_at = VALUES(pushed_at),"
                        + " size = VALUES(size), pieces = VALUES(pieces),"
                        + " body = VALUES(body)";
        return new Script().run(sql, slot);
    }

    /**
     * Writes a slot in two statements. In one, at REPEATABLE READ, MySQL locks the gap in front of
     * the row too, and the one in front of a lane's first cell is where the lane before grows.
     */
    static Script putForCaller(Object[] slot) {
        String isThere = " WHERE ring = ? AND lane = ? AND cell = ?";
        Object[] cell = Arrays.copyOf(slot, KEY);
        String make =
                INSERT
                        + " SELECT ?, ?, ?, "
                        + EMPTY
                        + " FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM slipring_slot"
                        + isThere
                        + ")";
        String fill =
                "UPDATE slipring_slot SET turn = ?, first_position = ?, messages = ?,"
                        + " producer = ?, number = ?, pushed_at = ?, size = ?, pieces = ?, body = ?"
                        + isThere;
        return new Script()
                .run(make, both(cell, cell))
                .run(fill, both(Arrays.copyOfRange(slot, KEY, slot.length), cell));
    }

    private static Object[] both(Object[] first, Object[] second) {
        return Stream.of(first, second).flatMap(Stream::of).toArray();
    }

    /** Statements that insert the cells of an extent. */
    static Script inserts(long ring, int lane, Extent extent) {
        Script inserts = new Script();
        for (long done = 0; done < extent.cells(); done += AT_ONCE) {
            String sql =
                    INSERT
                            + (" SELECT " + ring + ", " + lane + ", ")
                            + (extent.cell() + done + " + " + NUMBER)
                            + (", " + EMPTY)
                            + (" FROM " + DIGIT + " AS low CROSS JOIN " + DIGIT + " AS mid")
                            + (" CROSS JOIN " + DIGIT + " AS top")
                            + (" WHERE " + NUMBER + " < " + (extent.cells() - done))
                            + " ORDER BY 3";
            inserts.run(sql);
        }
        return inserts;
    }
}

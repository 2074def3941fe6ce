// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.util.ArrayList;
import java.util.List;

/** The rows of cells, made some hundred at a time. */
final class MySqlCells {

    private static final int AT_ONCE = 500;

    private MySqlCells() {}

    /** Statements that insert the cells of an extent. */
    static List<Script.Step> inserts(long ring, int lane, Extent extent) {
        List<Script.Step> inserts = new ArrayList<>();
        for (long done = 0; done < extent.cells(); done += AT_ONCE) {
            StringBuilder sql =
                    new StringBuilder(
                            "INSERT INTO slipring_slot (ring, lane, cell, turn, first_position,"
                                    + " messages, producer, number, pushed_at, size, pieces, body)"
                                    + " VALUES ");
            for (long i = done; i < Math.min(done + AT_ONCE, extent.cells()); i++) {
                sql.append(i == done ? "(" : ", (").append(ring).append(", ").append(lane);
                sql.append(", ").append(extent.cell() + i);
                sql.append(", -1, -1, 0, 0, 0, 0, 0, 0, '')");
            }
            inserts.add(new Script.Step(sql.toString(), new Object[0], null));
        }
        return inserts;
    }
}

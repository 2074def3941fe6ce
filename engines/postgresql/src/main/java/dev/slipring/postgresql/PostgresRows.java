// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.ledger.AsideTable;
import dev.slipring.ledger.LaneTable;
import dev.slipring.ledger.RingRows;
import dev.slipring.ledger.RingTable;
import dev.slipring.ledger.StrandTable;
import dev.slipring.sql.SqlAside;

/** The rows of all rings, in one transaction. What changes in a strand is written at its end. */
final class PostgresRows implements RingRows {

    /** Rounded down: a message must not seem younger than it is, as a stage may begin with it. */
    private static final SqlAside.Times TIMESTAMPS =
            new SqlAside.Times(
                    "floor(extract(epoch FROM %s) * 1000)::bigint", "to_timestamp(? / 1000.0)");

    private final long now;
    private final PostgresRings rings;
    private final PostgresLanes lanes;
    private final PostgresStrands strands;
    private final AsideTable aside;

    /** Rows to read, or to write under the locks of the ring that is found first. */
    PostgresRows(Statements statements, boolean writing) {
        now =
                statements
                        .number("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
                        .orElseThrow();
        rings = new PostgresRings(statements, writing);
        strands = new PostgresStrands(statements);
        lanes = new PostgresLanes(statements, strands);
        aside = new SqlAside(statements, "slipring.aside", TIMESTAMPS);
    }

    /** Writes what is not written yet. */
    void flush() {
        strands.flush();
        lanes.flush();
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public RingTable rings() {
        return rings;
    }

    @Override
    public LaneTable lanes() {
        return lanes;
    }

    @Override
    public StrandTable strands() {
        return strands;
    }

    @Override
    public AsideTable aside() {
        return aside;
    }
}

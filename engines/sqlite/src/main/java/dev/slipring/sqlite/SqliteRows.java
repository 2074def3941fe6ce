// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.AsideTable;
import dev.slipring.ledger.LaneTable;
import dev.slipring.ledger.RingTable;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.StrandTable;
import dev.slipring.sql.SqlAside;

import java.time.InstantSource;

/** The rows of all rings of a file, as one connection sees them. */
final class SqliteRows implements Rows {

    private static final SqlAside.Times MILLIS = new SqlAside.Times("%s", "?");

    private final InstantSource clock;
    private final SqliteRings rings;
    private final Cells cells;
    private final SqliteLanes lanes;
    private final SqliteStrands strands;
    private final AsideTable aside;
    private long now;

    SqliteRows(Statements statements, InstantSource clock, Caches caches, Cells.Trail trail) {
        this.clock = clock;
        Shelves shelves = new Shelves(statements);
        cells = new Cells(statements, caches.bodies(), trail);
        lanes = new SqliteLanes(statements, shelves, cells, this::now);
        rings = new SqliteRings(statements, shelves, lanes, caches.shapes());
        strands = new SqliteStrands(statements);
        aside = new SqlAside(statements, "slipring_aside", MILLIS);
    }

    /** Begins a unit of work: it has one time. */
    void begin() {
        now = clock.millis();
    }

    /**
     * Ends a transaction of ours: what it saw and wrote may be remembered, or must be forgotten.
     */
    void end(boolean committed) {
        rings.end(committed);
        cells.end(committed);
        lanes.end();
        strands.end();
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

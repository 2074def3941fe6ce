// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.AsideTable;
import dev.slipring.ledger.ClaimTable;
import dev.slipring.ledger.RingTable;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.SlotTable;

import java.time.InstantSource;

/**
 * The rows of all rings of a file, as one connection sees them. What it has read stays known from
 * one transaction to the next, until it is told to forget.
 */
final class SqliteRows implements Rows {

    /** How many rows may be known although nobody uses them any more. */
    static final int MOST_KNOWN = 50_000;

    /** How many rows can be read again for about the cost of writing a transaction. */
    private static final int ROWS_A_TRANSACTION = 10;

    private final Statements statements;
    private final InstantSource clock;
    private final SqliteRings rings;
    private final Cells cells;
    private final SqliteLanes lanes;
    private final SqliteStrands strands;
    private final SqliteAside aside;
    private long now;

    /** How many transactions ended since everything was forgotten. */
    private long transactions;

    SqliteRows(Statements statements, InstantSource clock, Caches caches, Cells.Witness witness) {
        this.statements = statements;
        this.clock = clock;
        Shelves shelves = new Shelves(statements);
        cells = new Cells(statements, caches.bodies(), witness);
        lanes = new SqliteLanes(statements, shelves, cells, this::now);
        strands = new SqliteStrands(statements);
        rings = new SqliteRings(statements, shelves, lanes, strands, caches.shapes());
        aside = new SqliteAside(statements);
    }

    /** Begins a unit of work: it has one time. */
    void begin() {
        now = clock.millis();
    }

    /** How often anything was changed: if that did not grow, nothing was changed since. */
    long changes() {
        return statements.updates() + lanes.known().changes() + strands.known().changes();
    }

    /** Writes what was changed and is in memory only; before a commit. */
    void write() {
        lanes.known().write();
        strands.known().write();
    }

    /**
     * Ends a transaction of ours: what it saw and wrote may be remembered, or must be forgotten.
     */
    void end(boolean committed) {
        rings.end(committed);
        cells.end(committed);
        transactions++;
        if (!committed || isTimeToForget()) {
            forget();
        }
    }

    /**
     * Whether much is known, and enough transactions have ended to pay for reading again what is
     * used of it.
     */
    private boolean isTimeToForget() {
        return known() > MOST_KNOWN && known() < ROWS_A_TRANSACTION * transactions;
    }

    /** How many rows were read and changed since everything was forgotten. */
    int known() {
        return lanes.known().size() + strands.known().size();
    }

    /** Forgets what was read: somebody else may have changed it. */
    void forget() {
        rings.forget();
        lanes.known().forget();
        strands.known().forget();
        aside.forget();
        transactions = 0;
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
    public SlotTable lanes() {
        return lanes;
    }

    @Override
    public ClaimTable strands() {
        return strands;
    }

    @Override
    public AsideTable aside() {
        return aside;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.AsideRow;
import dev.slipring.ledger.LaneRange;
import dev.slipring.sql.SqlAside;
import dev.slipring.sqlite.KnownStage.Key;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Messages set aside, in SQL; when the next of them is due is remembered, as each claim asks. */
final class SqliteAside extends SqlAside {

    private static final String TABLE = "slipring_aside";

    private static final Times MILLIS = new Times("%s", "?");

    /** Names the stages one by one: without a stage SQLite would read all rows of the ring. */
    private static final String DELETE_DROPPED =
            "DELETE FROM slipring_aside AS gone WHERE ring = ? AND stage = ? AND lane = ?"
                    + " AND position >= ? AND position < ? AND state = 'dropped'"
                    + " AND NOT EXISTS (SELECT 1"
                    + " FROM slipring_stage AS s CROSS JOIN slipring_aside AS kept"
                    + " WHERE s.ring = gone.ring AND kept.ring = s.ring AND kept.stage = s.name"
                    + " AND kept.lane = gone.lane AND kept.position = gone.position"
                    + " AND kept.state <> 'dropped')";

    private final Statements statements;
    private final Map<Key, OptionalLong> due = new HashMap<>();

    SqliteAside(Statements statements) {
        super(statements, TABLE, MILLIS, TABLE + " INDEXED BY slipring_aside_hand");
        this.statements = statements;
    }

    /** Forgets what was read. */
    void forget() {
        due.clear();
    }

    @Override
    public OptionalLong nextDue(long ring, String stage) {
        Key key = new Key(ring, stage);
        OptionalLong found = due.get(key);
        if (found == null) {
            found = super.nextDue(ring, stage);
            due.put(key, found);
        }
        return found;
    }

    @Override
    public void put(long ring, AsideRow row) {
        forget();
        super.put(ring, row);
    }

    @Override
    public void delete(long ring, AsideRow row) {
        forget();
        super.delete(ring, row);
    }

    @Override
    public void deleteAll(long ring, String stage) {
        forget();
        super.deleteAll(ring, stage);
    }

    @Override
    public long deleteDropped(long ring, String stage, LaneRange range) {
        return statements.update(
                DELETE_DROPPED, ring, stage, range.lane(), range.from(), range.to());
    }
}

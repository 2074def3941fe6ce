// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.AsideRow;
import dev.slipring.sql.SqlAside;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Messages set aside, in SQL; when the next of them is due is remembered, as each claim asks. */
final class SqliteAside extends SqlAside {

    private static final Times MILLIS = new Times("%s", "?");

    private final Map<Of, OptionalLong> due = new HashMap<>();

    SqliteAside(Statements statements) {
        super(statements, "slipring_aside", MILLIS);
    }

    /**
     * Names a stage.
     *
     * @param ring the ring's id
     * @param stage the stage
     */
    private record Of(long ring, String stage) {}

    /** Forgets what was read. */
    void forget() {
        due.clear();
    }

    @Override
    public OptionalLong nextDue(long ring, String stage) {
        Of of = new Of(ring, stage);
        OptionalLong found = due.get(of);
        if (found == null) {
            found = super.nextDue(ring, stage);
            due.put(of, found);
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
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import org.sqlite.SQLiteErrorCode;

import java.util.List;

/**
 * One transaction for a group of units, on the connection that writes. Used by whoever is the
 * writer.
 */
final class GroupTransaction {

    private final Statements statements;
    private final SqliteRows rows;
    private final LockPatience patience;
    private final Trouble trouble;
    private final Neighbours neighbours;
    private final Commits commits;

    /** Whether the COMMIT of this transaction was sent, or is about to be. */
    private boolean sent;

    GroupTransaction(
            Statements statements,
            SqliteRows rows,
            LockPatience patience,
            Trouble trouble,
            Neighbours neighbours,
            Commits commits) {
        this.statements = statements;
        this.rows = rows;
        this.patience = patience;
        this.trouble = trouble;
        this.neighbours = neighbours;
        this.commits = commits;
    }

    /** Hears of commits, and knows which of them have to be on the disk. */
    interface Commits {

        /** Others have committed; nobody here knows whether that is on the disk. */
        void ofOthers();

        /**
         * A group was committed.
         *
         * @param durable whether any of it has to be on the disk
         */
        void ofGroup(boolean durable);

        /** How far the log has to be on the disk for all that was committed so far. */
        long wanted();
    }

    /**
     * Begins it.
     *
     * @param nanos how long it waits for others who have the file
     * @throws SqlFailed if it did not begin; nothing is open then
     */
    void begin(long nanos) {
        boolean begun = false;
        try {
            LockPatience.insist(nanos, () -> statements.control("BEGIN IMMEDIATE"));
            begun = true;
        } finally {
            if (!begun) {
                // A transaction that is still open would be in the way of everything that follows.
                statements.rollback();
            }
        }
    }

    /**
     * Runs units in the transaction that has begun, and ends both.
     *
     * @return false if it was rolled back and each has to be run alone
     */
    boolean run(List<Unit<?>> group) {
        sent = false;
        try {
            return attempt(group);
        } catch (RuntimeException | Error broken) {
            if (sent) {
                // Once the COMMIT was sent, nobody may be told that nothing has happened.
                group.stream()
                        .filter(unit -> !unit.isOver())
                        .forEach(unit -> unit.fail(trouble.unknown(broken)));
            }
            throw broken;
        }
    }

    private boolean attempt(List<Unit<?>> group) {
        boolean sound = false;
        boolean committed = false;
        try {
            if (neighbours.hasNews()) {
                rows.forget();
                commits.ofOthers();
            }
            sound = runAll(group);
            if (sound) {
                sent = true;
                patience.insist(() -> statements.control("COMMIT"));
                committed = true;
                commits.ofGroup(group.stream().anyMatch(Unit::isDurable));
            }
        } catch (SqlFailed e) {
            if (sound && e.code() == SQLiteErrorCode.SQLITE_FULL && group.size() > 1) {
                return false;
            }
            for (Unit<?> unit : group) {
                unit.fail(sound ? trouble.atCommit(e) : trouble.explain(e));
            }
            return true;
        } finally {
            rows.end(committed);
            if (!committed) {
                statements.rollback();
            }
        }
        if (!sound && group.size() > 1) {
            return false;
        }
        group.forEach(unit -> unit.end(trouble, commits.wanted()));
        return true;
    }

    /**
     * Whether the transaction may be committed; a unit that failed before it wrote does no harm.
     */
    private boolean runAll(List<Unit<?>> group) {
        for (Unit<?> unit : group) {
            long before = rows.changes();
            if (!unit.run(rows) && (unit.hasBrokenTransaction() || rows.changes() != before)) {
                return false;
            }
        }
        try {
            rows.write();
        } catch (RuntimeException | Error e) {
            // One of the units failed; which one shows when each is run alone.
            group.forEach(unit -> unit.broken(e));
            return false;
        }
        return true;
    }
}

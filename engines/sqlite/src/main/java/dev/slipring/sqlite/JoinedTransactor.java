// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.Rows;
import dev.slipring.ledger.Transactor;
import dev.slipring.sql.CallersConnection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

/**
 * Runs work in a transaction of the caller. It keeps no statement open between two units, and
 * remembers nothing that it saw, for only the caller knows whether it will be committed.
 */
final class JoinedTransactor implements Transactor<Rows> {

    /**
     * Changes nothing, but takes the write lock, so that the unit reads nothing stale before it
     * writes.
     */
    private static final String LOCK =
            "UPDATE slipring_schema SET version = version WHERE version < 0";

    private final Connection connection;
    private final Shared shared;
    private final Trouble trouble;

    JoinedTransactor(Connection connection, Shared shared) {
        this.connection = connection;
        this.shared = shared;
        trouble = shared.trouble();
    }

    @Override
    public <T> T write(boolean durable, Function<Rows, T> work) {
        return run(LOCK, work);
    }

    @Override
    public <T> T read(Function<Rows, T> work) {
        return run(null, work);
    }

    /** Checks that there is a transaction to take part in. */
    void check() {
        try {
            CallersConnection.requireTransaction(connection);
        } catch (SQLException e) {
            throw trouble.inJoined(new SqlFailed(e));
        }
    }

    private <T> T run(String first, Function<Rows, T> work) {
        check();
        try (Statements statements = new Statements(connection)) {
            SqliteRows rows = shared.rows(statements, Cells.Witness.NONE);
            statements.control("SAVEPOINT slipring");
            boolean done = false;
            try {
                if (first != null) {
                    statements.control(first);
                }
                rows.begin();
                T result = work.apply(rows);
                rows.write();
                statements.control("RELEASE slipring");
                done = true;
                return result;
            } finally {
                if (!done) {
                    takeBack(statements);
                }
            }
        } catch (SqlFailed e) {
            throw trouble.inJoined(e);
        }
    }

    private static void takeBack(Statements statements) {
        try {
            statements.control("ROLLBACK TO slipring");
            statements.control("RELEASE slipring");
        } catch (SqlFailed e) {
            // SQLite has rolled back the whole transaction; the first error says why.
        }
    }
}

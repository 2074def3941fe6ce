// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.ledger.RingRows;
import dev.slipring.ledger.Transactor;

import java.util.function.Function;

/**
 * Runs what is rare by the ledger's rules: changes of a ring and its shape, and reads on one
 * snapshot.
 */
final class PostgresTransactor implements Transactor<RingRows> {

    /**
     * PostgreSQL would compile a query of large segments first, which takes longer than the query.
     * Functions of the hot path get their plans in the same way as they do there.
     */
    private static final String UNCOMPILED =
            "; SET LOCAL jit = off; SET LOCAL enable_seqscan = off";

    private final Connections connections;

    PostgresTransactor(Connections connections) {
        this.connections = connections;
    }

    @Override
    public <T> T write(boolean durable, Function<RingRows, T> work) {
        return connections.inTransaction(
                "BEGIN ISOLATION LEVEL READ COMMITTED" + UNCOMPILED,
                statements -> {
                    PostgresRows rows = new PostgresRows(statements, true);
                    T result = work.apply(rows);
                    rows.flush();
                    return result;
                });
    }

    @Override
    public <T> T read(Function<RingRows, T> work) {
        return connections.reading(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" + UNCOMPILED,
                statements -> work.apply(new PostgresRows(statements, false)));
    }
}

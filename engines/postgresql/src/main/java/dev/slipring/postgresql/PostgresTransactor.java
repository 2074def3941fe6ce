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
     * And the functions that it calls keep the plans that they get here, which must not be to read
     * all of a table that is nearly empty now.
     */
    private static final String PLANS = "; SET LOCAL jit = off; SET LOCAL enable_seqscan = off";

    private final Connections connections;

    PostgresTransactor(Connections connections) {
        this.connections = connections;
    }

    @Override
    public <T> T write(boolean durable, Function<RingRows, T> work) {
        return connections.inTransaction(
                Connections.READ_COMMITTED + PLANS,
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
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" + PLANS,
                statements -> work.apply(new PostgresRows(statements, false)));
    }
}

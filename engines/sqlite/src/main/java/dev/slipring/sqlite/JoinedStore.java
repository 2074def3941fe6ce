// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.Schema;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Store;
import dev.slipring.ledger.LedgerStore;
import dev.slipring.ledger.Transactor;

import java.sql.Connection;
import java.util.List;
import java.util.Set;

/** A store within a transaction of the caller; closing it changes nothing. */
final class JoinedStore extends LedgerStore {

    private final SqliteStore store;

    JoinedStore(Transactor caller, SqliteStore store) {
        super(caller, false);
        this.store = store;
    }

    @Override
    public Set<Capability> capabilities() {
        return store.capabilities();
    }

    @Override
    public Schema schema() {
        return store.schema();
    }

    @Override
    protected int defaultLanes() {
        return store.defaultLanes();
    }

    @Override
    protected long size() {
        return store.size();
    }

    @Override
    protected List<String> verify(String ring) {
        return store.verify(ring);
    }

    @Override
    public Store join(Connection transaction) {
        throw new StoreFailed(
                "this store takes part in a transaction already; join with the store"
                        + " that was opened");
    }

    @Override
    public AutoCloseable listen(Runnable changed) {
        return store.listen(changed);
    }

    @Override
    public void close() {
        // The transaction is the caller's, and the store stays open.
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.Schema;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Store;

import java.sql.Connection;
import java.util.List;
import java.util.Set;

/**
 * A ledger store within a transaction of the caller. What has to do with more than that transaction
 * it asks the store that was opened. Closing it changes nothing.
 */
public final class JoinedLedger extends LedgerStore {

    private final LedgerStore store;

    /**
     * A store within a transaction.
     *
     * @param store the store that was opened
     * @param caller runs work in the transaction of the caller, which stays open
     */
    public JoinedLedger(LedgerStore store, Transactor<Rows> caller) {
        // Nothing is on the disk before the caller commits.
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
    protected long retries() {
        return store.retries();
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

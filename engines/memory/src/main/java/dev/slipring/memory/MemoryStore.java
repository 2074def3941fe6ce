// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.Schema;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Store;
import dev.slipring.ledger.LedgerStore;

import java.sql.Connection;
import java.util.List;
import java.util.Set;

/** A store in memory. */
final class MemoryStore extends LedgerStore {

    private final MemoryTransactor transactor;

    MemoryStore(MemoryTransactor transactor) {
        super(transactor, false);
        this.transactor = transactor;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.CLOCK);
    }

    @Override
    public Schema schema() {
        return transactor.read(rows -> new Schema(1, 1, List.of()));
    }

    @Override
    protected int defaultLanes() {
        return 1;
    }

    @Override
    protected long size() {
        return -1;
    }

    @Override
    protected List<String> verify(String ring) {
        return List.of();
    }

    @Override
    public Store join(Connection transaction) {
        throw new StoreFailed(
                "the memory engine has no transactions of callers; use another engine for that");
    }

    @Override
    public AutoCloseable listen(Runnable changed) {
        return () -> {};
    }

    @Override
    public void close() {
        transactor.close();
    }
}

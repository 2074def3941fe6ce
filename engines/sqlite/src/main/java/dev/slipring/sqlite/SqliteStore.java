// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.Schema;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Store;
import dev.slipring.ledger.JoinedLedger;
import dev.slipring.ledger.LedgerStore;

import java.sql.Connection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A store in a SQLite file. */
final class SqliteStore extends LedgerStore {

    private final SqliteTransactor transactor;
    private final FileWatch watch;

    SqliteStore(SqliteTransactor transactor, boolean durableSettle) {
        super(transactor, durableSettle);
        this.transactor = transactor;
        watch = new FileWatch(transactor.file(), transactor::neighboursCommitted);
    }

    /** What runs its work. */
    SqliteTransactor transactor() {
        return transactor;
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(Capability.DURABLE, Capability.SHARED, Capability.JOIN, Capability.CLOCK);
    }

    @Override
    public Schema schema() {
        return transactor.schema();
    }

    @Override
    protected int defaultLanes() {
        return 1;
    }

    @Override
    protected long size() {
        return transactor.size();
    }

    @Override
    protected List<String> verify(String ring) {
        return transactor.findings();
    }

    @Override
    public Store join(Connection transaction) {
        return new JoinedLedger(this, transactor.join(transaction));
    }

    @Override
    public AutoCloseable listen(Runnable changed) {
        return watch.listen(changed);
    }

    @Override
    public void close() {
        watch.close();
        transactor.close();
    }
}

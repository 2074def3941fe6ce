// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;
import dev.slipring.ledger.Rows;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The connection for work that only reads; it does not wait for the writer, nor the writer for it.
 */
final class Reader implements AutoCloseable {

    private final Statements statements;
    private final SqliteRows rows;
    private final LockPatience patience;
    private final Trouble trouble;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean closed;

    Reader(Statements statements, SqliteRows rows, LockPatience patience, Trouble trouble) {
        this.statements = statements;
        this.rows = rows;
        this.patience = patience;
        this.trouble = trouble;
    }

    /** Runs work on one consistent state. */
    <T> T read(Function<Rows, T> work) {
        return ask(
                connection -> {
                    boolean committed = false;
                    try {
                        statements.control("BEGIN");
                        rows.begin();
                        T result = work.apply(rows);
                        statements.control("COMMIT");
                        committed = true;
                        return result;
                    } finally {
                        rows.end(committed);
                        rows.forget();
                        if (!committed) {
                            statements.rollback();
                        }
                    }
                });
    }

    /** Runs work on one consistent state, or nothing if somebody else is reading. */
    void readIfFree(Consumer<Rows> work) {
        if (lock.tryLock()) {
            try {
                read(
                        rows -> {
                            work.accept(rows);
                            return null;
                        });
            } finally {
                lock.unlock();
            }
        }
    }

    /** Runs statements that only read, each on the state that it finds. */
    <T> T ask(Function<Statements, T> work) {
        lock.lock();
        try {
            requireOpen();
            return patience.insist(() -> work.apply(statements));
        } catch (SqlFailed e) {
            throw trouble.explain(e);
        } finally {
            lock.unlock();
        }
    }

    /** Refuses to go on once this, and with it the store, is closed. */
    void requireOpen() {
        if (closed) {
            throw new StoreFailed("the store is closed");
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                statements.end();
            }
        } finally {
            lock.unlock();
        }
    }
}

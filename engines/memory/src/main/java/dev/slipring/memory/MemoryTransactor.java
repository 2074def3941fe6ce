// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.StoreFailed;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.Transactor;

import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** One transaction at a time; what fails is undone. */
final class MemoryTransactor implements Transactor<Rows> {

    private final ReentrantLock lock = new ReentrantLock();
    private final UndoLog undo = new UndoLog();
    private final MemoryRows rows;
    private boolean closed;

    MemoryTransactor(InstantSource clock) {
        rows = new MemoryRows(clock, undo);
    }

    @Override
    public <T> T write(boolean durable, Function<Rows, T> work) {
        lock.lock();
        boolean committed = false;
        try {
            if (closed) {
                throw new StoreFailed("the store is closed");
            }
            T result = work.apply(rows);
            committed = true;
            return result;
        } finally {
            undo.end(committed);
            lock.unlock();
        }
    }

    @Override
    public <T> T read(Function<Rows, T> work) {
        return write(false, work);
    }

    /** Refuses all that comes, as an engine does that has something to close. */
    void close() {
        lock.lock();
        closed = true;
        lock.unlock();
    }
}

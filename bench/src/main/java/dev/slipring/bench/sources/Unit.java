// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A transaction of SQLite's for some messages, under a lock that is fair; it ends before its thread
 * sleeps. Used by one thread.
 */
final class Unit {

    private final Connection connection;
    private final ReentrantLock writing;
    private final int most;
    private int moved;

    /**
     * A unit without an open transaction.
     *
     * @param most how many messages a transaction moves; if one, a statement is its own transaction
     */
    Unit(Connection connection, ReentrantLock writing, int most) throws SQLException {
        this.connection = connection;
        this.writing = writing;
        this.most = most;
        connection.setAutoCommit(most == 1);
    }

    /** Begins a transaction, if none is open. */
    void begin() {
        if (!writing.isHeldByCurrentThread()) {
            writing.lock();
        }
    }

    /** Counts a message that was moved; {@code found} is false if there was none. */
    void moved(boolean found) throws SQLException {
        moved++;
        if (!found || moved >= most) {
            end();
        }
    }

    /** Ends the transaction, if one is open. */
    void end() throws SQLException {
        moved = 0;
        if (writing.isHeldByCurrentThread()) {
            try {
                if (most > 1) {
                    connection.commit();
                }
            } finally {
                writing.unlock();
            }
        }
    }
}

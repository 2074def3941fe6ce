// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The baseline: a table as a queue, as well as one can write it. One row for each message and
 * stage, a connection to push and one to take. A lock of this process decides which side writes
 * next, so that none waits in SQLite's back-off.
 */
final class NaiveSubject extends TableSubject {

    private final SqliteTable pushing;
    private final SqliteTable taking;

    /** A fair lock, since otherwise the side that has it would take it again and again. */
    private final ReentrantLock writer = new ReentrantLock(true);

    NaiveSubject(Path file, String synchronous, Plan plan) throws SQLException {
        pushing = new SqliteTable(file, synchronous, plan.stages());
        taking = new SqliteTable(file, synchronous, plan.stages());
        begin(plan);
    }

    @Override
    void insert(List<byte[]> bodies) throws SQLException {
        writer.lock();
        try {
            pushing.insert(bodies);
        } finally {
            writer.unlock();
        }
    }

    @Override
    List<byte[]> delete(int queue, int most) throws SQLException {
        writer.lock();
        try {
            return taking.delete(queue, most);
        } finally {
            writer.unlock();
        }
    }

    @Override
    long count(int queue) throws SQLException {
        return taking.count(queue);
    }

    @Override
    long bytes(int queue) throws SQLException {
        return taking.bytes(queue);
    }

    @Override
    public void close() throws SQLException {
        writer.lock();
        try {
            taking.close();
            pushing.close();
        } finally {
            writer.unlock();
        }
    }
}

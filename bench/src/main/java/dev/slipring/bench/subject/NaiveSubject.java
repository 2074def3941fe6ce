// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The baseline: a table as a queue, as well as one can write it. One row for each message and
 * stage, a connection to push and one to take; who writes next is settled in this process, so that
 * nobody waits in SQLite's back-off.
 */
final class NaiveSubject implements Subject {

    private static final int LONGEST_WAIT_MILLIS = 100;
    private static final int PUSH_SECONDS = 30;
    private static final int HANDLE_MOST = 1000;

    private final SqliteTable pushing;
    private final SqliteTable taking;

    /** In the order of coming, since else the side that has the lock takes it again and again. */
    private final ReentrantLock writer = new ReentrantLock(true);

    private final List<Semaphore> room = new ArrayList<>();
    private final List<Semaphore> filled = new ArrayList<>();

    NaiveSubject(Path file, String synchronous, Plan plan) throws SQLException {
        pushing = new SqliteTable(file, synchronous, plan.stages());
        taking = new SqliteTable(file, synchronous, plan.stages());
        for (int queue = 0; queue < plan.stages(); queue++) {
            long waiting = taking.count(queue);
            room.add(new Semaphore(Math.toIntExact(plan.capacity() - waiting)));
            filled.add(new Semaphore(Math.toIntExact(waiting)));
        }
    }

    @Override
    public void push(List<byte[]> bodies) throws SQLException, InterruptedException {
        for (Semaphore queue : room) {
            if (!queue.tryAcquire(bodies.size(), PUSH_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailed("no room for " + PUSH_SECONDS + " seconds");
            }
        }
        writer.lock();
        try {
            pushing.insert(bodies);
        } finally {
            writer.unlock();
        }
        filled.forEach(queue -> queue.release(bodies.size()));
    }

    @Override
    public int take(int stage, int most, Sink sink) throws SQLException, InterruptedException {
        Semaphore waiting = filled.get(stage);
        if (!waiting.tryAcquire(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
            return 0;
        }
        int count = 1 + waiting.drainPermits();
        if (count > most) {
            waiting.release(count - most);
            count = most;
        }
        List<byte[]> bodies = delete(stage, count);
        bodies.forEach(body -> sink.take(body, body.length));
        return bodies.size();
    }

    private List<byte[]> delete(int stage, int most) throws SQLException {
        List<byte[]> bodies;
        writer.lock();
        try {
            bodies = taking.delete(stage, most);
        } finally {
            writer.unlock();
        }
        room.get(stage).release(bodies.size());
        return bodies;
    }

    @Override
    public void finish(int stage) {
        // What was deleted is done.
    }

    /** Threads that look every millisecond, which is what one does without anything that wakes. */
    @Override
    public AutoCloseable handle(int threads, Sink sink) {
        return new Polling(
                threads,
                () -> {
                    List<byte[]> bodies = delete(0, HANDLE_MOST);
                    bodies.forEach(body -> sink.take(body, body.length));
                    return !bodies.isEmpty();
                });
    }

    @Override
    public long waiting() throws SQLException {
        long most = 0;
        for (int queue = 0; queue < filled.size(); queue++) {
            most = Math.max(most, taking.count(queue));
        }
        return most;
    }

    @Override
    public double heldPerMessage() throws SQLException {
        long bytes = 0;
        for (int queue = 0; queue < filled.size(); queue++) {
            bytes += taking.bytes(queue);
        }
        return (double) bytes / taking.count(0);
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

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A baseline: tables as queues, one for each stage. This process counts how much room is left and
 * how many messages wait, so that no thread looks in vain. What was taken is done.
 */
abstract class TableSubject implements Subject {

    private static final int LONGEST_WAIT_MILLIS = 100;
    private static final int PUSH_SECONDS = 30;
    private static final int HANDLE_MOST = 1000;

    private final List<Semaphore> room = new ArrayList<>();
    private final List<Semaphore> filled = new ArrayList<>();

    /** Counts what is there already. */
    final void begin(Plan plan) throws SQLException {
        for (int queue = 0; queue < plan.stages(); queue++) {
            long waiting = count(queue);
            room.add(new Semaphore(Math.toIntExact(plan.capacity() - waiting)));
            filled.add(new Semaphore(Math.toIntExact(waiting)));
        }
    }

    /** Inserts a row into each queue for each body, in one transaction. Thread-safe. */
    abstract void insert(List<byte[]> bodies) throws SQLException;

    /** Deletes the oldest rows of a queue that nobody else deletes; returns them. Thread-safe. */
    abstract List<byte[]> delete(int queue, int most) throws SQLException;

    /** How many rows a queue has. */
    abstract long count(int queue) throws SQLException;

    /** How many bytes of bodies a queue has. */
    abstract long bytes(int queue) throws SQLException;

    @Override
    public final void push(List<byte[]> bodies) throws SQLException, InterruptedException {
        for (Semaphore queue : room) {
            if (!queue.tryAcquire(bodies.size(), PUSH_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailed("no room for " + PUSH_SECONDS + " seconds");
            }
        }
        insert(bodies);
        filled.forEach(queue -> queue.release(bodies.size()));
    }

    @Override
    public final int take(int stage, int most, Sink sink)
            throws SQLException, InterruptedException {
        Semaphore waiting = filled.get(stage);
        if (!waiting.tryAcquire(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
            return 0;
        }
        int count = 1 + waiting.drainPermits();
        if (count > most) {
            waiting.release(count - most);
            count = most;
        }
        int taken = deleteInto(sink, stage, count);
        // Fewer may be found than were counted, as pushes do not commit in the order in which they
        // stand in the table. The rest stays counted.
        waiting.release(count - taken);
        return taken;
    }

    private int deleteInto(Sink sink, int stage, int most) throws SQLException {
        List<byte[]> bodies = delete(stage, most);
        room.get(stage).release(bodies.size());
        bodies.forEach(body -> sink.take(body, body.length));
        return bodies.size();
    }

    @Override
    public final void finish(int stage) {
        // Nothing to do: what was deleted is done.
    }

    /** Threads that look every millisecond, as nothing would wake them. */
    @Override
    public final AutoCloseable handle(int threads, Sink sink, Consumer<Exception> failing) {
        return new Polling(threads, () -> deleteInto(sink, 0, HANDLE_MOST) > 0, failing);
    }

    @Override
    public final long waiting() throws SQLException {
        long most = 0;
        for (int queue = 0; queue < filled.size(); queue++) {
            most = Math.max(most, count(queue));
        }
        return most;
    }

    @Override
    public final double heldPerMessage() throws SQLException {
        long bytes = 0;
        for (int queue = 0; queue < filled.size(); queue++) {
            bytes += bytes(queue);
        }
        return (double) bytes / count(0);
    }
}

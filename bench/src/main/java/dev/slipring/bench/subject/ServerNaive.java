// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The baseline on a server: a table as a queue, as well as one can write it. One row for each
 * message and stage; every thread that pushes or takes has a connection to itself, so that commits
 * share the server's group commit.
 */
final class ServerNaive implements Subject {

    private static final int LONGEST_WAIT_MILLIS = 100;
    private static final int PUSH_SECONDS = 30;
    private static final int HANDLE_MOST = 1000;

    private final String url;
    private final int queues;
    private final ConcurrentLinkedDeque<ServerTable> idle = new ConcurrentLinkedDeque<>();
    private final List<Semaphore> room = new ArrayList<>();
    private final List<Semaphore> filled = new ArrayList<>();

    ServerNaive(String url, Plan plan) throws SQLException {
        this.url = url;
        queues = plan.stages();
        ServerTable first = table();
        first.create();
        for (int queue = 0; queue < queues; queue++) {
            long waiting = first.count(queue);
            room.add(new Semaphore(Math.toIntExact(plan.capacity() - waiting)));
            filled.add(new Semaphore(Math.toIntExact(waiting)));
        }
        idle.push(first);
    }

    private ServerTable table() throws SQLException {
        ServerTable table = idle.pollFirst();
        return table != null ? table : new ServerTable(url, queues);
    }

    @Override
    public void push(List<byte[]> bodies) throws SQLException, InterruptedException {
        for (Semaphore queue : room) {
            if (!queue.tryAcquire(bodies.size(), PUSH_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailed("no room for " + PUSH_SECONDS + " seconds");
            }
        }
        ServerTable table = table();
        table.insert(bodies);
        idle.push(table);
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
        // Somebody else's commit may stand before ours in the table.
        waiting.release(count - bodies.size());
        bodies.forEach(body -> sink.take(body, body.length));
        return bodies.size();
    }

    private List<byte[]> delete(int stage, int most) throws SQLException {
        ServerTable table = table();
        List<byte[]> bodies = table.delete(stage, most);
        idle.push(table);
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
        ServerTable table = table();
        long most = 0;
        for (int queue = 0; queue < queues; queue++) {
            most = Math.max(most, table.count(queue));
        }
        idle.push(table);
        return most;
    }

    @Override
    public double heldPerMessage() throws SQLException {
        ServerTable table = table();
        long bytes = 0;
        for (int queue = 0; queue < queues; queue++) {
            bytes += table.bytes(queue);
        }
        double held = (double) bytes / table.count(0);
        idle.push(table);
        return held;
    }

    @Override
    public void close() throws SQLException {
        for (ServerTable table = idle.pollFirst(); table != null; table = idle.pollFirst()) {
            table.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The baseline: a table with a row for each message, taken by DELETE ... SKIP LOCKED, as well as
 * one can write it: bytes, one statement for a batch, prepared, binary, an eager autovacuum. A
 * connection for each thread that pushes.
 */
final class SkipLockedSubject implements JoinSubject {

    private static final int PUSH_SECONDS = 30;
    private static final int LONGEST_WAIT_MILLIS = 100;
    private static final int HANDLE_MOST = 1000;

    /** A plan made while the table was empty reads all of it, dead rows too, for each message. */
    private static final String BY_INDEX =
            "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";

    private final PostgresPlace place;
    private final int stages;
    private final ConcurrentLinkedQueue<Pusher> idle = new ConcurrentLinkedQueue<>();
    private final List<PreparedStatement> deletes = new ArrayList<>();
    private final List<Connection> taking = new ArrayList<>();
    private final List<Semaphore> room = new ArrayList<>();
    private final List<Semaphore> filled = new ArrayList<>();

    /** A connection with its statements, one for each queue. */
    private record Pusher(Connection connection, List<PreparedStatement> inserts) {}

    SkipLockedSubject(PostgresPlace place, Plan plan) throws SQLException {
        this.place = place;
        stages = plan.stages();
        for (int queue = 0; queue < stages; queue++) {
            Connection connection = place.connect();
            taking.add(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute(BY_INDEX);
                statement.execute(
                        "CREATE TABLE IF NOT EXISTS q"
                                + queue
                                + " (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                                + " body bytea NOT NULL) WITH (fillfactor = 100,"
                                + " autovacuum_vacuum_scale_factor = 0.01,"
                                + " autovacuum_vacuum_cost_delay = 0)");
            }
            deletes.add(
                    connection.prepareStatement(
                            "DELETE FROM q"
                                    + queue
                                    + " q USING (SELECT id FROM q"
                                    + queue
                                    + " ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED) x"
                                    + " WHERE q.id = x.id RETURNING q.id, q.body"));
            long waiting = count(queue);
            room.add(new Semaphore(Math.toIntExact(plan.capacity() - waiting)));
            filled.add(new Semaphore(Math.toIntExact(waiting)));
        }
    }

    private Pusher pusher() throws SQLException {
        Pusher free = idle.poll();
        if (free != null) {
            return free;
        }
        Connection connection = place.connect();
        connection.setAutoCommit(stages == 1);
        List<PreparedStatement> inserts = new ArrayList<>();
        for (int queue = 0; queue < stages; queue++) {
            inserts.add(
                    connection.prepareStatement(
                            "INSERT INTO q" + queue + " (body) SELECT unnest(?)"));
        }
        return new Pusher(connection, inserts);
    }

    @Override
    public void push(List<byte[]> bodies) throws SQLException, InterruptedException {
        for (Semaphore queue : room) {
            if (!queue.tryAcquire(bodies.size(), PUSH_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailed("no room for " + PUSH_SECONDS + " seconds");
            }
        }
        Pusher pusher = pusher();
        for (PreparedStatement insert : pusher.inserts()) {
            insert.setArray(
                    1, pusher.connection().createArrayOf("bytea", bodies.toArray(byte[][]::new)));
            insert.executeUpdate();
        }
        if (stages > 1) {
            pusher.connection().commit();
        }
        idle.add(pusher);
        filled.forEach(queue -> queue.release(bodies.size()));
    }

    /** Only for those who take by {@link #handle}: nobody here learns of the commit. */
    @Override
    public void push(Connection transaction, byte[] body) throws SQLException {
        try (PreparedStatement insert =
                transaction.prepareStatement("INSERT INTO q0 (body) VALUES (?)")) {
            insert.setBytes(1, body);
            insert.executeUpdate();
        }
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
        waiting.release(count - bodies.size());
        bodies.forEach(body -> sink.take(body, body.length));
        return bodies.size();
    }

    private List<byte[]> delete(int stage, int most) throws SQLException {
        List<byte[]> bodies = new ArrayList<>();
        PreparedStatement delete = deletes.get(stage);
        synchronized (delete) {
            delete.setInt(1, most);
            try (ResultSet rows = delete.executeQuery()) {
                while (rows.next()) {
                    bodies.add(rows.getBytes(2));
                }
            }
        }
        room.get(stage).release(bodies.size());
        return bodies;
    }

    @Override
    public void finish(int stage) {
        // What was deleted is done.
    }

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

    private long count(int queue) throws SQLException {
        return number(queue, "SELECT count(*) FROM q" + queue);
    }

    private long number(int queue, String sql) throws SQLException {
        try (Statement statement = taking.get(queue).createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public long waiting() throws SQLException {
        long most = 0;
        for (int queue = 0; queue < stages; queue++) {
            most = Math.max(most, count(queue));
        }
        return most;
    }

    @Override
    public double heldPerMessage() throws SQLException {
        long bytes = 0;
        for (int queue = 0; queue < stages; queue++) {
            bytes += number(queue, "SELECT coalesce(sum(length(body)), 0) FROM q" + queue);
        }
        return (double) bytes / count(0);
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : taking) {
            connection.close();
        }
        for (Pusher pusher : idle) {
            pusher.connection().close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The baseline, written as well as possible: a table with a row for each message, which DELETE ...
 * SKIP LOCKED takes; bodies as bytes, one prepared statement in binary form for a batch, an eager
 * autovacuum. Each thread that pushes has a connection.
 */
final class SkipLockedSubject extends TableSubject implements JoinSubject {

    /**
     * A plan that was made while the table was empty would read the whole table, with its dead
     * rows, and in a join would do so for each message.
     */
    private static final String BY_INDEX = "SET enable_seqscan = off";

    private final PostgresPlace place;
    private final int stages;
    private final ConcurrentLinkedQueue<Pusher> idle = new ConcurrentLinkedQueue<>();
    private final List<PreparedStatement> deletes = new ArrayList<>();
    private final List<Connection> taking = new ArrayList<>();

    /** A connection with its statements, one for each queue. */
    private record Pusher(Connection connection, List<PreparedStatement> inserts) {}

    SkipLockedSubject(PostgresPlace place, Plan plan) throws SQLException {
        this.place = place;
        stages = plan.stages();
        for (int queue = 0; queue < stages; queue++) {
            Connection connection = place.connect();
            taking.add(connection);
            Sql.run(
                    connection,
                    BY_INDEX,
                    "CREATE TABLE IF NOT EXISTS q"
                            + queue
                            + " (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                            + " body bytea NOT NULL) WITH (fillfactor = 100,"
                            + " autovacuum_vacuum_scale_factor = 0.01,"
                            + " autovacuum_vacuum_cost_delay = 0)");
            deletes.add(
                    connection.prepareStatement(
                            "DELETE FROM q"
                                    + queue
                                    + " WHERE id = ANY (ARRAY(SELECT id FROM q"
                                    + queue
                                    + " ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED))"
                                    + " RETURNING id, body"));
        }
        begin(plan);
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
    void insert(List<byte[]> bodies) throws SQLException {
        Pusher pusher = pusher();
        boolean inserted = false;
        try {
            for (PreparedStatement insert : pusher.inserts()) {
                insert.setArray(
                        1,
                        pusher.connection().createArrayOf("bytea", bodies.toArray(byte[][]::new)));
                insert.executeUpdate();
            }
            if (stages > 1) {
                pusher.connection().commit();
            }
            inserted = true;
        } finally {
            if (inserted) {
                idle.add(pusher);
            } else {
                pusher.connection().close();
            }
        }
    }

    /** Only for runs that take with {@link #handle}, as this class does not learn of the commit. */
    @Override
    public void push(Connection transaction, byte[] body) throws SQLException {
        try (PreparedStatement insert =
                transaction.prepareStatement("INSERT INTO q0 (body) VALUES (?)")) {
            insert.setBytes(1, body);
            insert.executeUpdate();
        }
    }

    @Override
    List<byte[]> delete(int queue, int most) throws SQLException {
        List<byte[]> bodies = new ArrayList<>();
        PreparedStatement delete = deletes.get(queue);
        synchronized (delete) {
            delete.setInt(1, most);
            try (ResultSet rows = delete.executeQuery()) {
                while (rows.next()) {
                    bodies.add(rows.getBytes(2));
                }
            }
        }
        return bodies;
    }

    @Override
    long count(int queue) throws SQLException {
        return Sql.number(taking.get(queue), "SELECT count(*) FROM q" + queue);
    }

    @Override
    long bytes(int queue) throws SQLException {
        return Sql.number(
                taking.get(queue), "SELECT coalesce(sum(length(body)), 0) FROM q" + queue);
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

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * PgQ, used as well as possible. Many messages go straight into the current event table, as its
 * documentation allows; a single one goes through its function. Finishing a batch and getting the
 * next share a transaction. Its events are text, so bodies are written in base64. It hands out at
 * once all that came between two ticks, however little was asked for.
 */
final class PgqSubject implements JoinSubject {

    private static final int PUSH_SECONDS = 30;
    private static final int LONGEST_WAIT_MILLIS = 100;
    private static final int ROWS_AT_A_TIME = 1000;
    private static final String ONE = "SELECT pgq.insert_event('bench', 'm', ?)";

    private final PostgresPlace place;
    private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();
    private final List<Reader> readers = new ArrayList<>();
    private final List<Semaphore> room = new ArrayList<>();
    private PgqTicker ticker;

    /** A stage's connection, and the batch that it has not finished yet; 0 if there is none. */
    private static final class Reader {

        private final Connection connection;
        private long batch;
        private int count;
        private volatile boolean hungry = true;

        Reader(Connection connection) {
            this.connection = connection;
        }
    }

    PgqSubject(PostgresPlace place, Plan plan) throws SQLException {
        this.place = place;
        try (Connection connection = place.connect()) {
            if (Sql.number(connection, "SELECT count(*) FROM pg_extension WHERE extname = 'pgq'")
                    == 0) {
                PgqTicker.install(connection, plan.stages());
            }
        }
        for (int stage = 0; stage < plan.stages(); stage++) {
            Connection connection = place.connect();
            connection.setAutoCommit(false);
            readers.add(new Reader(connection));
            room.add(new Semaphore(Math.toIntExact(plan.capacity() - waiting(stage))));
        }
    }

    @Override
    public void push(List<byte[]> bodies) throws SQLException, InterruptedException {
        for (Semaphore queue : room) {
            if (!queue.tryAcquire(bodies.size(), PUSH_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailed("no room for " + PUSH_SECONDS + " seconds");
            }
        }
        Connection free = idle.poll();
        Connection connection = free != null ? free : place.connect();
        boolean pushed = false;
        try {
            if (bodies.size() == 1) {
                push(connection, bodies.get(0));
            } else {
                insert(connection, bodies);
                tickBeforeTakes(connection);
            }
            pushed = true;
        } finally {
            if (pushed) {
                idle.add(connection);
            } else {
                connection.close();
            }
        }
    }

    /**
     * Ticks after a push that comes before the first take: without ticks, all that waits then would
     * be one batch of millions.
     */
    private synchronized void tickBeforeTakes(Connection connection) throws SQLException {
        if (ticker == null) {
            Sql.number(connection, "SELECT pgq.ticker('bench')");
        }
    }

    @Override
    public void push(Connection transaction, byte[] body) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement(ONE)) {
            insert.setString(1, Base64.getEncoder().encodeToString(body));
            insert.executeQuery().close();
        }
    }

    /**
     * The event table may change with each transaction, so the transaction that asks for its name
     * must also write to it. It must have its number before it asks: if the tables rotate between
     * the asking and the first write, with a later number every reader would skip what is written.
     */
    private static void insert(Connection connection, List<byte[]> bodies) throws SQLException {
        connection.setAutoCommit(false);
        String table;
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT txid_current(), pgq.current_event_table('bench')")) {
            row.next();
            table = row.getString(2);
        }
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO "
                                + table
                                + " (ev_time, ev_type, ev_data) SELECT now(), 'm', unnest(?)")) {
            Base64.Encoder base64 = Base64.getEncoder();
            Object[] texts = bodies.stream().map(base64::encodeToString).toArray();
            insert.setArray(1, connection.createArrayOf("text", texts));
            insert.executeUpdate();
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    @Override
    public int take(int stage, int most, Sink sink) throws SQLException, InterruptedException {
        tick();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT_MILLIS);
        int count = next(stage, sink);
        while (count == 0 && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(1);
            count = next(stage, sink);
        }
        return count;
    }

    /** Starts the ticker if there is none: two would be in each other's way. */
    private synchronized void tick() throws SQLException {
        if (ticker == null) {
            ticker = new PgqTicker(place.connect(), this::areAllHungry);
        }
    }

    /**
     * Whether all stages wait for a batch. A batch is what came between two ticks, so more ticks
     * than takes would make batches tiny.
     */
    private boolean areAllHungry() {
        return readers.stream().allMatch(reader -> reader.hungry);
    }

    private int next(int stage, Sink sink) throws SQLException {
        ticker.check();
        Reader reader = readers.get(stage);
        synchronized (reader) {
            if (reader.batch != 0) {
                Sql.number(reader.connection, "SELECT pgq.finish_batch(" + reader.batch + ")");
            }
            long batch =
                    Sql.number(
                            reader.connection, "SELECT pgq.next_batch('bench', 'c" + stage + "')");
            reader.connection.commit();
            room.get(stage).release(reader.count);
            reader.batch = batch;
            reader.hungry = batch == 0;
            reader.count = batch == 0 ? 0 : read(reader.connection, batch, sink);
            return reader.count;
        }
    }

    private static int read(Connection connection, long batch, Sink sink) throws SQLException {
        int count = 0;
        try (PreparedStatement events =
                connection.prepareStatement("SELECT ev_data FROM pgq.get_batch_events(?)")) {
            events.setLong(1, batch);
            events.setFetchSize(ROWS_AT_A_TIME);
            try (ResultSet rows = events.executeQuery()) {
                while (rows.next()) {
                    byte[] body = Base64.getDecoder().decode(rows.getString(1));
                    sink.take(body, body.length);
                    count++;
                }
            }
        }
        connection.commit();
        return count;
    }

    @Override
    public void finish(int stage) throws SQLException {
        Reader reader = readers.get(stage);
        synchronized (reader) {
            if (reader.batch != 0) {
                Sql.number(reader.connection, "SELECT pgq.finish_batch(" + reader.batch + ")");
                reader.connection.commit();
                reader.batch = 0;
            }
        }
    }

    @Override
    public AutoCloseable handle(int threads, Sink sink, Consumer<Exception> failing)
            throws SQLException {
        tick();
        Polling polling = new Polling(threads, () -> next(0, sink) > 0, failing);
        return () -> {
            polling.close();
            finish(0);
        };
    }

    @Override
    public long waiting() throws SQLException {
        long most = 0;
        for (int stage = 0; stage < readers.size(); stage++) {
            most = Math.max(most, waiting(stage));
        }
        return most;
    }

    /** How many events are not in the snapshot of the last tick that the stage has taken. */
    private long waiting(int stage) throws SQLException {
        try (Connection connection = place.connect()) {
            return Sql.number(
                    connection,
                    "SELECT count(*) FROM pgq.event_1 e, pgq.subscription u JOIN pgq.consumer c"
                            + " ON c.co_id = u.sub_consumer JOIN pgq.tick t"
                            + " ON t.tick_id = u.sub_last_tick AND t.tick_queue = u.sub_queue"
                            + " WHERE NOT txid_visible_in_snapshot(e.ev_txid, t.tick_snapshot)"
                            + " AND c.co_name = 'c"
                            + stage
                            + "'");
        }
    }

    @Override
    public double heldPerMessage() throws SQLException {
        try (Connection connection = place.connect()) {
            long bytes = Sql.number(connection, "SELECT sum(length(ev_data)) FROM pgq.event_1");
            return (double) bytes / Sql.number(connection, "SELECT count(*) FROM pgq.event_1");
        }
    }

    @Override
    public void close() throws Exception {
        if (ticker != null) {
            ticker.close();
        }
        for (Reader reader : readers) {
            reader.connection.close();
        }
        for (Connection connection : idle) {
            connection.close();
        }
    }
}

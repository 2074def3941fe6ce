// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.slipring.bench.BenchFailed;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * db-scheduler with a task for each message, due at once, in the way that its documentation
 * recommends for throughput: executions are locked as they are fetched. It always works with
 * several threads, since one would be far too slow; if one worker was asked for, they call it one
 * at a time.
 */
final class DbSchedulerSubject implements Subject {

    private static final int THREADS = 16;
    private static final int PUSH_SECONDS = 30;
    private static final Duration POLLING = Duration.ofMillis(10);
    private static final String TABLE =
            """
            CREATE TABLE IF NOT EXISTS scheduled_tasks (
                task_name text NOT NULL,
                task_instance text NOT NULL,
                task_data bytea,
                execution_time timestamp with time zone NOT NULL,
                picked boolean NOT NULL,
                picked_by text,
                last_success timestamp with time zone,
                last_failure timestamp with time zone,
                consecutive_failures int,
                last_heartbeat timestamp with time zone,
                version bigint NOT NULL,
                priority smallint,
                PRIMARY KEY (task_name, task_instance)
            );
            CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time);
            CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
            """;

    private static final String TASK = "message";

    private final HikariDataSource source;
    private final SchedulerClient client;
    private final Semaphore room;
    private final AtomicLong numbers = new AtomicLong();

    /** Bodies that were executed and not taken yet; at most as many as are executed at a time. */
    private final BlockingQueue<byte[]> executed = new ArrayBlockingQueue<>(THREADS);

    private AutoCloseable working;

    DbSchedulerSubject(PostgresPlace place, Plan plan) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(place.dataSource(true));
        config.setMaximumPoolSize(2 * THREADS);
        config.setMinimumIdle(0);
        source = new HikariDataSource(config);
        try (Connection connection = source.getConnection()) {
            Sql.run(connection, TABLE);
        }
        client = SchedulerClient.Builder.create(source).serializer(new Bytes()).build();
        room = new Semaphore(Math.toIntExact(plan.capacity() - waiting()));
    }

    /** Keeps bytes as they are. */
    private static final class Bytes implements Serializer {

        @Override
        public byte[] serialize(Object data) {
            return (byte[]) data;
        }

        @Override
        public <T> T deserialize(Class<T> type, byte[] bytes) {
            return type.cast(bytes);
        }
    }

    @Override
    public void push(List<byte[]> bodies) throws InterruptedException {
        if (!room.tryAcquire(bodies.size(), PUSH_SECONDS, TimeUnit.SECONDS)) {
            throw new BenchFailed("no room for " + PUSH_SECONDS + " seconds");
        }
        // A single one too: the other call first asks whether the task is there already.
        Stream<TaskInstance<?>> tasks = bodies.stream().map(this::task);
        client.scheduleBatch(tasks, Instant.now());
    }

    private TaskInstance<byte[]> task(byte[] body) {
        String id = ProcessHandle.current().pid() + "-" + numbers.incrementAndGet();
        return new TaskInstance<>(TASK, id, body);
    }

    @Override
    public int take(int stage, int most, Sink sink) throws InterruptedException {
        if (working == null) {
            working = work(body -> executed.put(body));
        }
        byte[] body = executed.poll(100, TimeUnit.MILLISECONDS);
        int count = 0;
        while (body != null) {
            sink.take(body, body.length);
            count++;
            body = count < most ? executed.poll() : null;
        }
        return count;
    }

    @Override
    public void finish(int stage) {
        // Nothing to do: what was executed is done.
    }

    @Override
    public AutoCloseable handle(int threads, Sink sink, Consumer<Exception> failing) {
        Object turn = new Object();
        return work(
                body -> {
                    if (threads > 1) {
                        sink.take(body, body.length);
                        return;
                    }
                    synchronized (turn) {
                        sink.take(body, body.length);
                    }
                });
    }

    /** Handles a body. */
    @FunctionalInterface
    private interface Work {
        void on(byte[] body) throws InterruptedException;
    }

    private AutoCloseable work(Work work) {
        OneTimeTask<byte[]> task =
                Tasks.oneTime(TASK, byte[].class)
                        .execute(
                                (instance, context) -> {
                                    try {
                                        work.on(instance.getData());
                                        room.release();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                        throw new BenchFailed("interrupted", e);
                                    }
                                });
        Scheduler scheduler =
                Scheduler.create(source, task)
                        .serializer(new Bytes())
                        .threads(THREADS)
                        .pollingInterval(POLLING)
                        .pollUsingLockAndFetch(0.5, 4)
                        .shutdownMaxWait(Duration.ofSeconds(5))
                        .build();
        scheduler.start();
        return scheduler::stop;
    }

    @Override
    public long waiting() throws SQLException {
        return (long) number("count(*)");
    }

    @Override
    public double heldPerMessage() throws SQLException {
        return number("avg(length(task_data))");
    }

    private double number(String what) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT " + what + " FROM scheduled_tasks")) {
            row.next();
            return row.getDouble(1);
        }
    }

    @Override
    public void close() throws Exception {
        if (working != null) {
            working.close();
        }
        source.close();
    }
}

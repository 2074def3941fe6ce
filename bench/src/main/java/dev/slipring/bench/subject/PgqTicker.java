// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Does what PgQ leaves to a daemon: the ticks, which make messages visible, and every second its
 * maintenance, which rotates the event tables and vacuums the small ones.
 */
final class PgqTicker implements AutoCloseable {

    private static final int TICK_MILLIS = 1;
    private static final long MAINTENANCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A tick even for a single message; rotation as soon as possible. */
    private static final List<String> SETTINGS =
            List.of(
                    "'ticker_max_count', '1'",
                    "'ticker_max_lag', '0'",
                    "'ticker_idle_period', '0'",
                    "'rotation_period', '3 seconds'");

    private final Connection connection;
    private final BooleanSupplier due;
    private final Thread thread = new Thread(this::run, "bench-ticker");
    private volatile boolean stopping;
    private volatile SQLException failure;

    /** Ticks from now on, whenever {@code due} says so. */
    PgqTicker(Connection connection, BooleanSupplier due) {
        this.due = due;
        this.connection = connection;
        thread.setDaemon(true);
        thread.start();
    }

    /** Makes the queue with its consumers. */
    static void install(Connection connection, int consumers) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE EXTENSION pgq");
            statement.execute("SELECT pgq.create_queue('bench')");
            for (String setting : SETTINGS) {
                statement.execute("SELECT pgq.set_queue_config('bench', " + setting + ")");
            }
            for (int consumer = 0; consumer < consumers; consumer++) {
                statement.execute("SELECT pgq.register_consumer('bench', 'c" + consumer + "')");
            }
        }
    }

    private void run() {
        long maintained = System.nanoTime();
        try (Statement statement = connection.createStatement()) {
            while (!stopping) {
                if (due.getAsBoolean()) {
                    statement.execute("SELECT pgq.ticker('bench')");
                }
                if (System.nanoTime() - maintained > MAINTENANCE_NANOS) {
                    maintain(statement);
                    maintained = System.nanoTime();
                }
                TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
            }
        } catch (SQLException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void maintain(Statement statement) throws SQLException {
        List<String> operations = new ArrayList<>();
        try (ResultSet rows =
                statement.executeQuery(
                        "SELECT CASE WHEN func_name = 'vacuum' THEN 'VACUUM ' || func_arg ELSE"
                                + " 'SELECT ' || func_name || '(' || coalesce(quote_literal("
                                + "func_arg), '') || ')' END FROM pgq.maint_operations()")) {
            while (rows.next()) {
                operations.add(rows.getString(1));
            }
        }
        for (String operation : operations) {
            statement.execute(operation);
        }
    }

    /** Throws what it ended of, if it did. */
    void check() throws SQLException {
        if (failure != null) {
            throw new SQLException("the ticker failed: " + failure.getMessage(), failure);
        }
    }

    @Override
    public void close() throws InterruptedException, SQLException {
        stopping = true;
        thread.join();
        connection.close();
        if (failure != null) {
            throw failure;
        }
    }
}

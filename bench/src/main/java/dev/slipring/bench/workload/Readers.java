// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Threads that read a table in long transactions, which begin one after the other. */
final class Readers implements AutoCloseable {

    private static final int PAUSE_MILLIS = 100;

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;
    private volatile Exception failure;

    /**
     * Starts them.
     *
     * @param connections one for each, which closing closes
     * @param longest how long a transaction lasts
     */
    Readers(List<Connection> connections, String table, Duration longest) {
        Duration apart = longest.dividedBy(connections.size());
        for (Connection connection : connections) {
            Duration first = longest.minus(apart.multipliedBy(threads.size()));
            Thread thread =
                    new Thread(() -> run(connection, table, first, longest), "bench-reader");
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void run(Connection connection, String table, Duration first, Duration longest) {
        try (connection;
                Statement statement = connection.createStatement()) {
            Duration length = first;
            while (!stopping) {
                long end = System.nanoTime() + length.toNanos();
                while (!stopping && System.nanoTime() - end < 0) {
                    statement.execute("SELECT count(*) FROM " + table);
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
                connection.commit();
                length = longest;
            }
        } catch (SQLException | InterruptedException e) {
            failure = e;
        }
    }

    @Override
    public void close() throws Exception {
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure != null) {
            throw failure;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Sql;
import dev.slipring.bench.subject.Subject;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;

/**
 * A queue before and under a transaction that has read its tables: half a window before, then two
 * windows under it. The rate that counts is the one under it.
 *
 * @param contender the queue
 */
record ReaderTrial(Contender contender) implements Trial {

    private static final int BATCH = 1000;

    /** How long to wait at most for a server to clear away; after that the run begins anyway. */
    private static final Duration PURGE = Duration.ofMinutes(1);

    private static final int MOST_HISTORY = 100;
    private static final Plan PLAN = new Plan(20L * BATCH, 1);

    @Override
    public Setting setting() {
        return new Setting(1, BATCH, "long reader");
    }

    @Override
    public Measured run(Timing timing) throws Exception {
        Timing half = new Timing(timing.ramp(), timing.longest(), timing.window().dividedBy(2));
        Timing whole = new Timing(Duration.ZERO, timing.window());
        try (Place place = contender.place()) {
            awaitPurge(place);
            double before = flow(place, half);
            try (Connection reader = place.connect()) {
                reader.setAutoCommit(false);
                reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                readAll(reader);
                double first = flow(place, whole);
                double second = flow(place, whole);
                reader.rollback();
                double rate = (first + second) / 2;
                return Measured.rate(rate)
                        .note(
                                String.format(
                                        Locale.ROOT,
                                        "%.2f of before, its second half %.2f",
                                        rate / before,
                                        second / before));
            }
        }
    }

    /**
     * Waits until the server has cleared away what the previous run's reader made it keep. Else
     * that would slow down this run's measuring before its own reader.
     */
    private static void awaitPurge(Place place) throws Exception {
        long deadline = System.nanoTime() + PURGE.toNanos();
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement()) {
            while (history(statement) > MOST_HISTORY && System.nanoTime() < deadline) {
                Thread.sleep(100);
            }
        }
    }

    /** How many transactions the server has yet to clear away; 0 if this user may not ask. */
    private static long history(Statement statement) {
        try (ResultSet row =
                statement.executeQuery(
                        "SELECT count FROM information_schema.innodb_metrics"
                                + " WHERE name = 'trx_rseg_history_len'")) {
            return row.next() ? row.getLong(1) : 0;
        } catch (SQLException e) {
            return 0;
        }
    }

    private double flow(Place place, Timing timing) throws Exception {
        try (Subject subject = contender.open(place, PLAN)) {
            return Cycle.run(subject, BATCH, timing).messagesPerSecond();
        }
    }

    private static void readAll(Connection reader) throws SQLException {
        for (String table : Sql.texts(reader, "SHOW TABLES")) {
            Sql.run(reader, "SELECT COUNT(*) FROM " + table);
        }
    }
}

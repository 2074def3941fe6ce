// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.subject.JoinSubject;
import dev.slipring.bench.subject.PostgresPlace;
import dev.slipring.bench.subject.Sql;

import org.HdrHistogram.Histogram;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Threads that each change an account, write an entry and push a message, in one transaction. */
public final class Business {

    private static final int ACCOUNTS = 10_000;

    private final JoinSubject subject;
    private final PostgresPlace place;
    private final Tally tally = new Tally();
    private final Trouble trouble = new Trouble();
    private final Histogram nanos = new Histogram(3);
    private List<Source> sources;
    private volatile boolean going = true;
    private volatile boolean measuring;

    /** A business whose tables are in the same database as a queue. */
    public Business(JoinSubject subject, PostgresPlace place) {
        this.subject = subject;
        this.place = place;
    }

    /** Runs, with a worker that takes if {@code taken}, and then checks what was delivered. */
    public Measured run(int threads, boolean taken, Timing timing) throws Exception {
        prepare();
        sources = IntStream.range(0, threads).mapToObj(Source::new).toList();
        Measured measured;
        try (AutoCloseable workers = taken ? workers() : () -> {}) {
            measured = transactions(timing);
            if (taken) {
                trouble.await(pushed(), tally::count, Trouble.PATIENCE);
            }
        }
        if (!taken) {
            try (AutoCloseable workers = workers()) {
                trouble.await(pushed(), tally::count, Trouble.PATIENCE);
            }
        }
        Checksum.all(sources, List.of(tally));
        return measured.latencies(nanos);
    }

    private AutoCloseable workers() throws Exception {
        return subject.handle(1, trouble.watched(this::handle), trouble::report);
    }

    private void prepare() throws SQLException {
        try (Connection connection = place.connect()) {
            Sql.run(
                    connection,
                    "CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL)",
                    "INSERT INTO account SELECT id, 0 FROM generate_series(1, " + ACCOUNTS + ") id",
                    "CREATE TABLE entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                            + " account int NOT NULL, amount bigint NOT NULL)");
        }
    }

    private Measured transactions(Timing timing) throws InterruptedException {
        List<Thread> pushers = new ArrayList<>();
        try {
            for (Source source : sources) {
                pushers.add(trouble.start("bench-push-" + pushers.size(), () -> work(source)));
            }
            WarmUp.await(timing, trouble);
            measuring = true;
            long start = System.nanoTime();
            long before = pushed();
            trouble.sleep(timing.window());
            measuring = false;
            double seconds = (System.nanoTime() - start) / 1e9;
            return Measured.rate((pushed() - before) / seconds);
        } finally {
            going = false;
            for (Thread thread : pushers) {
                trouble.join(thread);
            }
        }
    }

    private long pushed() {
        return sources.stream().mapToLong(Source::count).sum();
    }

    private void work(Source source) throws Exception {
        Histogram mine = new Histogram(3);
        try (Connection connection = place.connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement change =
                            connection.prepareStatement(
                                    "UPDATE account SET balance = balance + ? WHERE id = ?");
                    PreparedStatement enter =
                            connection.prepareStatement(
                                    "INSERT INTO entry (account, amount) VALUES (?, ?)")) {
                while (going) {
                    long start = System.nanoTime();
                    int account = 1 + ThreadLocalRandom.current().nextInt(ACCOUNTS);
                    change.setLong(1, 1);
                    change.setInt(2, account);
                    change.executeUpdate();
                    enter.setInt(1, account);
                    enter.setLong(2, 1);
                    enter.executeUpdate();
                    subject.push(connection, source.next(1).get(0));
                    connection.commit();
                    source.pushed(1);
                    if (measuring) {
                        mine.recordValue(System.nanoTime() - start);
                    }
                }
            }
        }
        synchronized (nanos) {
            nanos.add(mine);
        }
    }

    private void handle(byte[] body, int length) {
        tally.take(body, length);
        tally.settle();
    }
}

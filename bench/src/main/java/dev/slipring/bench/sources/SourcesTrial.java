// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.workload.Setting;
import dev.slipring.bench.workload.Trial;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * So many connections that push, and as many that pop, in a new queue each time.
 *
 * @param engine makes the queue and moves messages
 * @param home whose places are databases in which the queue can stand
 * @param slots how many slots a ring has
 */
record SourcesTrial(
        SourceEngine engine,
        Contender home,
        SourceSystem system,
        Setting setting,
        Contender contender,
        long slots)
        implements Trial {

    /**
     * Opening connections and preparing what is called takes a moment. Those who pop begin in the
     * middle of it: one who finds nothing sleeps a second in some queues.
     */
    private static final double LEAD_SECONDS = 0.2;

    /** The lesser of what was pushed and what was popped. */
    @Override
    public Measured run(Timing timing) throws Exception {
        double seconds = timing.window().toNanos() / 1e9 + LEAD_SECONDS;
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Place place = home.place()) {
            make(place);
            try {
                double until = now(place) + seconds;
                List<CompletableFuture<Long>> pushing = new ArrayList<>();
                List<CompletableFuture<Long>> popping = new ArrayList<>();
                for (int i = 0; i < setting.threads(); i++) {
                    pushing.add(moving(place, true, until, threads));
                }
                TimeUnit.NANOSECONDS.sleep((long) (LEAD_SECONDS / 2 * 1e9));
                for (int i = 0; i < setting.threads(); i++) {
                    popping.add(moving(place, false, until, threads));
                }
                long pushed = pushing.stream().mapToLong(CompletableFuture::join).sum();
                long popped = popping.stream().mapToLong(CompletableFuture::join).sum();
                return Measured.rate(Math.min(pushed, popped) / seconds);
            } finally {
                run(place, engine.removal());
            }
        } finally {
            threads.shutdown();
        }
    }

    private CompletableFuture<Long> moving(
            Place place, boolean pushes, double until, ExecutorService threads) {
        return CompletableFuture.supplyAsync(() -> moved(place, pushes, until), threads);
    }

    private double now(Place place) throws SQLException {
        try (Connection connection = place.connect()) {
            return engine.now(connection);
        }
    }

    private long moved(Place place, boolean pushes, double until) {
        try (Connection connection = place.connect()) {
            return engine.move(connection, system, pushes, until, slots);
        } catch (SQLException e) {
            throw new IllegalStateException(system.name() + ": " + e.getMessage(), e);
        }
    }

    private void make(Place place) throws SQLException {
        run(place, engine.removal());
        run(place, engine.making(system));
    }

    private static void run(Place place, List<String> statements) throws SQLException {
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() {
        // Each run removes its own.
    }
}

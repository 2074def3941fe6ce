// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.sources.SourceEngine.Relaxed;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Target;
import dev.slipring.bench.workload.Setting;
import dev.slipring.bench.workload.Trial;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Connections that push, and as many that pop, in a new queue each time.
 *
 * @param engine makes the queue and moves messages
 * @param home a system whose places are databases, in which the queue is made
 */
record SourcesTrial(
        SourceEngine engine,
        Target target,
        Contender home,
        SourceSystem system,
        Contender contender,
        Experiment experiment)
        implements Trial {

    /**
     * Time to open connections and to prepare the calls. The pops begin in the middle of it: in
     * some queues a pop that finds nothing sleeps for a second.
     */
    private static final Duration LEAD = Duration.ofMillis(200);

    @Override
    public Setting setting() {
        return new Setting(experiment.threads(), 1, experiment.what());
    }

    @Override
    public String warning() {
        return experiment.synced() ? "" : engine.warning(target);
    }

    /** No: the code that moves the messages is in the server, or in SQLite. */
    @Override
    public boolean gainsByWarming() {
        return false;
    }

    /** The lesser of what was pushed and what was popped; if nobody pops, what was pushed. */
    @Override
    public Measured run(Timing timing) throws Exception {
        try (Place place = home.place()) {
            make(place);
            try (Relaxed relaxed =
                    experiment.synced() ? Relaxed.FOR_GOOD : engine.relax(place::connect)) {
                Duration whole = timing.window().plus(LEAD);
                return experiment.isWatched()
                        ? WhereTimeGoes.during(target, whole, () -> move(place, whole))
                        : move(place, whole);
            }
        }
    }

    private Measured move(Place place, Duration whole) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            double seconds = whole.toNanos() / 1e9;
            double until = now(place) + experiment.headStart().toNanos() / 1e9 + seconds;
            List<CompletableFuture<Long>> pushing = begin(place, true, until, threads);
            List<CompletableFuture<Long>> popping = List.of();
            if (experiment.pops()) {
                TimeUnit.NANOSECONDS.sleep(
                        experiment.headStart().plus(LEAD.dividedBy(2)).toNanos());
                popping = begin(place, false, until, threads);
            }
            long pushed = pushing.stream().mapToLong(CompletableFuture::join).sum();
            long popped = popping.stream().mapToLong(CompletableFuture::join).sum();
            return Measured.rate((experiment.pops() ? Math.min(pushed, popped) : pushed) / seconds);
        } finally {
            threads.shutdown();
        }
    }

    private List<CompletableFuture<Long>> begin(
            Place place, boolean pushes, double until, ExecutorService threads) {
        List<CompletableFuture<Long>> begun = new ArrayList<>();
        for (int i = 0; i < experiment.threads(); i++) {
            begun.add(CompletableFuture.supplyAsync(() -> moved(place, pushes, until), threads));
        }
        return begun;
    }

    private double now(Place place) throws SQLException {
        try (Connection connection = place.connect()) {
            return engine.now(connection);
        }
    }

    private long moved(Place place, boolean pushes, double until) {
        try (Connection connection = place.connect()) {
            return engine.move(connection, system, pushes, until, experiment);
        } catch (SQLException e) {
            throw new IllegalStateException(system.name() + ": " + e.getMessage(), e);
        }
    }

    private void make(Place place) throws SQLException {
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : engine.making(system, experiment)) {
                statement.execute(sql);
            }
        }
    }
}

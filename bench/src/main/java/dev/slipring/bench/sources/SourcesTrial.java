// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.sources.SourceEngine.Relaxed;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Sql;
import dev.slipring.bench.subject.Target;
import dev.slipring.bench.workload.Setting;
import dev.slipring.bench.workload.Trial;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
     * Time to prepare the calls, which does not count. The pops begin in the middle of it: in some
     * queues a pop that finds nothing sleeps for a second.
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

    /**
     * The lesser of what was pushed and what was popped within the window; if nobody pops, what was
     * pushed.
     */
    @Override
    public Measured run(Timing timing) throws Exception {
        try (Place place = home.place()) {
            make(place);
            try (Relaxed relaxed =
                    experiment.synced() ? Relaxed.FOR_GOOD : engine.relax(place::connect)) {
                Duration window = timing.window();
                return experiment.isWatched()
                        ? WhereTimeGoes.during(
                                target, window.plus(LEAD), () -> move(place, window))
                        : move(place, window);
            }
        }
    }

    private Measured move(Place place, Duration window) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        Deque<Connection> free = new ArrayDeque<>();
        try {
            int poppers = experiment.pops() ? experiment.threads() : 0;
            for (int i = experiment.threads() + poppers; i > 0; i--) {
                free.add(place.connect());
            }
            Duration lead = experiment.headStart().plus(LEAD);
            double from = now(place) + lead.toNanos() / 1e9;
            Span span = new Span(from, from + window.toNanos() / 1e9);
            CompletionService<Moved> ends = new ExecutorCompletionService<>(threads);
            begin(free, experiment.threads(), true, span, ends);
            if (experiment.pops()) {
                // Nothing ends so early, unless it fails.
                Future<Moved> failed =
                        ends.poll(lead.minus(LEAD.dividedBy(2)).toNanos(), TimeUnit.NANOSECONDS);
                if (failed != null) {
                    failed.get();
                }
                begin(free, poppers, false, span, ends);
            }
            long pushed = 0;
            long popped = 0;
            for (int i = experiment.threads() + poppers; i > 0; i--) {
                Moved moved = ends.take().get();
                pushed += moved.pushes() ? moved.messages() : 0;
                popped += moved.pushes() ? 0 : moved.messages();
            }
            long least = experiment.pops() ? Math.min(pushed, popped) : pushed;
            return Measured.rate(least / (window.toNanos() / 1e9));
        } finally {
            threads.shutdown();
            for (Connection connection : free) {
                connection.close();
            }
        }
    }

    /** How many messages a thread pushed, or popped, within the span. */
    private record Moved(boolean pushes, long messages) {}

    private void begin(
            Deque<Connection> free,
            int count,
            boolean pushes,
            Span span,
            CompletionService<Moved> ends) {
        for (int i = 0; i < count; i++) {
            Connection connection = free.remove();
            ends.submit(() -> moved(connection, pushes, span));
        }
    }

    private double now(Place place) throws SQLException {
        try (Connection connection = place.connect()) {
            return engine.now(connection);
        }
    }

    private Moved moved(Connection connection, boolean pushes, Span span) {
        try (connection) {
            return new Moved(pushes, engine.move(connection, system, pushes, span, experiment));
        } catch (SQLException e) {
            throw new IllegalStateException(system.name() + ": " + e.getMessage(), e);
        }
    }

    private void make(Place place) throws SQLException {
        try (Connection connection = place.connect()) {
            Sql.run(connection, engine.making(system, experiment).toArray(String[]::new));
        }
    }
}

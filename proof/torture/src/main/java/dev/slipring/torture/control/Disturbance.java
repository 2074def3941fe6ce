// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.SlipringException;
import dev.slipring.torture.Course;
import dev.slipring.torture.arena.Arena;
import dev.slipring.torture.arena.OwnServer;
import dev.slipring.torture.arena.Segments;
import dev.slipring.torture.arena.Wire;
import dev.slipring.torture.plan.Fault;
import dev.slipring.torture.plan.Kind;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Carries out single faults. Used by one thread; faults that last for a while have threads of their
 * own.
 */
final class Disturbance implements AutoCloseable {

    /**
     * The stages that may be rewound. The one with effects may not, as its effects would be made
     * again.
     */
    private static final List<String> REWOUND = List.of("take", "book", "index");

    private static final long AGAIN_MILLIS = 300;

    private static final First LOOK = statement("SELECT max(producer) FROM torture_effect");
    private static final First WRITE = statement("INSERT INTO torture_effect VALUES (0, 0, 0)");

    /**
     * How many times as long as other things a segment is held, so that others begin and are
     * emptied meanwhile.
     */
    private static final int SEGMENTS = 6;

    private final Arena arena;

    /** Null where the disk is not to be filled. */
    private final Filler filler;

    private final Crew crew;
    private final Steward steward;
    private final Map<Kind, Integer> counts =
            Collections.synchronizedMap(new EnumMap<>(Kind.class));
    private final ExecutorService held = Executors.newCachedThreadPool();

    /**
     * A thread of their own for orders, as an order may have to wait for what another disturbance
     * holds up.
     */
    private final ExecutorService orders = Executors.newSingleThreadExecutor();

    private volatile boolean over;
    private int kills;

    Disturbance(Arena arena, Path disk, Crew crew, Steward steward) {
        this.arena = arena;
        filler = disk == null ? null : new Filler(disk, steward);
        this.crew = crew;
        this.steward = steward;
    }

    void apply(Fault fault, ScheduledExecutorService clock) {
        if (over) {
            return;
        }
        try {
            switch (fault.kind()) {
                case KILL_WORKER -> kill("worker", fault);
                case KILL_PRODUCER -> kill("producer", fault);
                case KILL_ALL -> {
                    steward.note("killed", "all");
                    kills += crew.killAll();
                    happened(fault);
                }
                case STOP_WORKER -> stop("worker", fault, clock);
                case STOP_PRODUCER -> stop("producer", fault, clock);
                case HOLD_READ -> hold(false, LOOK, fault, 1);
                case HOLD_WRITE -> hold(true, WRITE, fault, 1);
                case HOLD_SEGMENT -> hold(false, Segments::read, fault, SEGMENTS);
                case NEXT_SEGMENT -> hold(true, Segments::next, fault, 0);
                case PAUSE -> {
                    String stage = Course.STAGES.get(fault.choice() % Course.STAGES.size());
                    order(fault, () -> steward.pause(stage));
                    later(clock, fault, () -> order(() -> resume(stage, clock)));
                }
                case REWIND -> {
                    String stage = REWOUND.get(fault.choice() % REWOUND.size());
                    order(fault, () -> steward.rewind(stage, fault.choice()));
                }
                case VISIT -> order(fault, () -> steward.visit(fault.choice() % 2 == 0));
                case RETRY_DEAD -> order(fault, () -> steward.letters(fault.choice()));
                case KILL_SERVER -> held.execute(() -> killServer(fault));
                case CUT_WIRE -> wire(fault).cut();
                case LOSE_ANSWERS -> {
                    wire(fault).loseAnswers();
                    later(clock, fault, wire()::cut);
                }
                case STALL_WIRE -> {
                    wire(fault).stall();
                    later(clock, fault, wire()::goOn);
                }
                case FILL_DISK -> held.execute(() -> fill(fault));
            }
        } catch (IOException | SlipringException e) {
            steward.trouble(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Counts a fault that was really carried out. */
    private void happened(Fault fault) {
        counts.merge(fault.kind(), 1, Integer::sum);
    }

    private void order(Fault fault, BooleanSupplier change) {
        order(
                () -> {
                    if (change.getAsBoolean()) {
                        happened(fault);
                    }
                });
    }

    /** Runs something on the thread for orders, after all earlier orders. */
    void order(Runnable work) {
        orders.execute(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        steward.trouble(e);
                    }
                });
    }

    private static void later(ScheduledExecutorService clock, Fault fault, Runnable undo) {
        clock.schedule(undo, fault.millis(), TimeUnit.MILLISECONDS);
    }

    private void kill(String role, Fault fault) throws IOException, InterruptedException {
        crew.kill(role, fault.choice());
        kills++;
        happened(fault);
    }

    private void stop(String role, Fault fault, ScheduledExecutorService clock)
            throws IOException, InterruptedException {
        Child child = crew.stop(role, fault.choice());
        happened(fault);
        later(
                clock,
                fault,
                () -> {
                    try {
                        child.goOn();
                    } catch (IOException e) {
                        steward.trouble(e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /** The first statement of a transaction. */
    @FunctionalInterface
    private interface First {
        void run(Connection connection) throws SQLException;
    }

    /** A transaction that stays open for a while after its first statement, and is rolled back. */
    private void hold(boolean writes, First first, Fault fault, int times) {
        held.execute(() -> transact(writes, first, fault, times * fault.millis()));
    }

    private void transact(boolean writes, First first, Fault fault, long millis) {
        try (Connection connection = arena.connect(writes)) {
            first.run(connection);
            happened(fault);
            Thread.sleep(millis);
            connection.rollback();
        } catch (SQLException e) {
            steward.trouble(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static First statement(String sql) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        };
    }

    private Wire wire(Fault fault) {
        happened(fault);
        return wire();
    }

    private Wire wire() {
        return arena.wire().orElseThrow();
    }

    /** Tries again until the stage is resumed, as a server may be down. */
    private void resume(String stage, ScheduledExecutorService clock) {
        if (!steward.resume(stage) && !over) {
            clock.schedule(
                    () -> order(() -> resume(stage, clock)), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void killServer(Fault fault) {
        synchronized (arena) {
            try {
                if (over) {
                    return;
                }
                OwnServer server = arena.server().orElseThrow();
                steward.note("server", "down");
                server.kill();
                happened(fault);
                server.start();
                steward.note("server", "up");
            } catch (IOException e) {
                steward.find("the server that was killed does not start: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Fills the disk for a while. No other fault hits the server meanwhile, as on a full disk it
     * may not start.
     */
    private void fill(Fault fault) {
        synchronized (arena) {
            if (over) {
                return;
            }
            try {
                if (arena.server().isPresent()) {
                    // A server may end itself on a full disk, and then forgets what a killed one
                    // forgets.
                    steward.note("server", "down");
                }
                filler.fill();
                happened(fault);
                Thread.sleep(fault.millis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                filler.free();
            }
            arena.server().ifPresent(this::revive);
        }
    }

    private void revive(OwnServer server) {
        try {
            server.revive();
            steward.note("server", "up");
        } catch (IOException e) {
            steward.find("the server does not come back from a full disk: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** From now on no fault begins. */
    void end() {
        over = true;
    }

    /** Undoes the disturbances that still last. */
    void calm() throws InterruptedException {
        arena.wire().ifPresent(Wire::goOn);
        // A client that waits for a lost answer would wait for ever.
        arena.wire().ifPresent(Wire::cut);
        // Waits for a server that is being started.
        synchronized (arena) {
            held.shutdownNow();
            if (filler != null) {
                // A server that is about to end itself may still have answered an earlier look.
                arena.server()
                        .filter(server -> ProcessHandle.of(server.pid()).isEmpty())
                        .ifPresent(
                                server -> {
                                    steward.note("server", "down");
                                    revive(server);
                                });
            }
        }
        held.awaitTermination(1, TimeUnit.MINUTES);
        orders.shutdown();
        orders.awaitTermination(1, TimeUnit.MINUTES);
    }

    Map<Kind, Integer> counts() {
        return counts;
    }

    int kills() {
        return kills;
    }

    @Override
    public void close() {
        held.shutdownNow();
    }
}

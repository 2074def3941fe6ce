// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.SlipringException;
import dev.slipring.torture.Course;
import dev.slipring.torture.arena.Arena;
import dev.slipring.torture.arena.Segments;
import dev.slipring.torture.arena.Server;
import dev.slipring.torture.arena.Wire;
import dev.slipring.torture.plan.Fault;
import dev.slipring.torture.plan.Kind;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
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

/** Carries out single faults. All but what is held for a while is used by one thread. */
final class Disturbance implements AutoCloseable {

    /** The stages that may be rewound: the one with effects may not, they would come again. */
    private static final List<String> REWOUND = List.of("take", "book", "index");

    private static final long AGAIN_MILLIS = 300;

    private static final First LOOK = statement("SELECT max(producer) FROM torture_effect");
    private static final First WRITE = statement("INSERT INTO torture_effect VALUES (0, 0, 0)");

    /** Long enough that others begin, and are emptied, while it is held. */
    private static final int SEGMENTS = 6;

    private final Arena arena;
    private final Path disk;
    private final Crew crew;
    private final Steward steward;
    private final Map<Kind, Integer> counts =
            Collections.synchronizedMap(new EnumMap<>(Kind.class));
    private final ExecutorService held = Executors.newCachedThreadPool();

    /** Orders may wait for those whom another disturbance keeps from going on. */
    private final ExecutorService orders = Executors.newSingleThreadExecutor();

    private volatile boolean over;
    private int kills;

    Disturbance(Arena arena, Path disk, Crew crew, Steward steward) {
        this.arena = arena;
        this.disk = disk;
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
                case RETRY_DEAD -> order(fault, steward::retryDead);
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

    /** It was not only planned: it is counted. */
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

    /** Has something done beside the clock, behind what was ordered before. */
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

    /** Tries until the stage is no longer paused: a server that is down cannot do it. */
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
                Server server = arena.server().orElseThrow();
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

    /** Nothing else happens to a server meanwhile: on a full disk it may not start. */
    private void fill(Fault fault) {
        synchronized (arena) {
            if (over) {
                return;
            }
            try {
                if (arena.server().isPresent()) {
                    // It may end itself, and then has forgotten what a killed one forgets.
                    steward.note("server", "down");
                }
                fillUp();
                happened(fault);
                Thread.sleep(fault.millis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                free();
            }
            arena.server().ifPresent(this::revive);
        }
    }

    private void revive(Server server) {
        try {
            server.revive();
            steward.note("server", "up");
        } catch (IOException e) {
            steward.find("the server does not come back from a full disk: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fillUp() {
        Path filler = disk.resolve("filler");
        try (OutputStream out = Files.newOutputStream(filler)) {
            byte[] block = new byte[1 << 16];
            for (int size = block.length; size > 0; size /= 2) {
                writeAll(out, block, size);
            }
        } catch (IOException e) {
            steward.trouble(e);
        }
    }

    /** Writes until nothing of that size fits any more. */
    private static void writeAll(OutputStream out, byte[] block, int size) {
        try {
            while (true) {
                out.write(block, 0, size);
            }
        } catch (IOException full) {
            return;
        }
    }

    private void free() {
        try {
            Files.deleteIfExists(disk.resolve("filler"));
        } catch (IOException e) {
            steward.trouble(e);
        }
    }

    /** Begins nothing more. */
    void end() {
        over = true;
    }

    /** Undoes what is still disturbed. */
    void calm() throws InterruptedException {
        arena.wire().ifPresent(Wire::goOn);
        // Who waits for an answer that was lost would wait for ever.
        arena.wire().ifPresent(Wire::cut);
        // A server that is being started is waited for.
        synchronized (arena) {
            held.shutdownNow();
            if (disk != null) {
                // One that ends itself may still have answered when it was looked at before.
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

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.torture.Course;
import dev.slipring.torture.Scale;
import dev.slipring.torture.TortureRequest;
import dev.slipring.torture.arena.Arena;
import dev.slipring.torture.child.JournalFile;
import dev.slipring.torture.judge.Effect;
import dev.slipring.torture.plan.Fault;
import dev.slipring.torture.plan.Kind;
import dev.slipring.torture.soak.Gauge;
import dev.slipring.torture.soak.Soak;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Carries out a plan on a store, and brings the ring to its end. */
public final class Controller implements AutoCloseable {

    private static final int LOOK_MILLIS = 500;

    /** How long to wait for the first push. */
    private static final long START_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int MEASURE_MILLIS = 1_000;
    private static final int MOST_SAMPLES = 600;

    /** Heaps are looked at only with every fifth sample, as each look runs a garbage collection. */
    private static final int SAMPLES_PER_HEAP = 5;

    private final Arena arena;
    private final Slipring slipring;
    private final Ring ring;
    private final JournalFile journal;
    private final Crew crew;
    private final Disturbance disturbance;
    private final Steward steward;
    private final Idleness idleness;
    private final Consumer<String> words;
    private Gauge gauge;

    /** Creates the ring; no process works on it yet. */
    public Controller(
            Arena arena, Path disk, Path journals, TortureRequest request, Consumer<String> words)
            throws IOException, SQLException {
        this.arena = arena;
        this.words = words;
        this.journal = new JournalFile(journals.resolve("controller.journal"));
        this.slipring = Slipring.open(Options.url(arena.url()).worker("controller"));
        this.ring = slipring.create(Course.ring(arena.lanes(), request.seed()));
        this.crew = new Crew(arena, journals, request);
        this.idleness = new Idleness(arena, crew);
        this.steward = new Steward(ring, journal, arena.isExact(), arena.forgets());
        if (arena.forgets()) {
            steward.note("forgets", "words");
        }
        Scale scale = Scale.of(ring.spec());
        if (scale != Scale.SHORT) {
            int slot = Math.max(scale.together(), scale.async());
            steward.note("room", scale.messages() + " " + ring.spec().lanes() + " " + slot);
        }
        this.disturbance = new Disturbance(arena, disk, crew, steward);
        try (Connection connection = arena.connect(true)) {
            Effect.create(connection);
        }
    }

    /** From now on measures what the processes and the store use. */
    public void measure() {
        if (!Gauge.canRead()) {
            throw new IllegalArgumentException(
                    "a soak reads what processes take from /proc, which is not there; run it on"
                            + " Linux");
        }
        gauge = new Gauge(arena, crew::pids, crew::alive);
    }

    /** What was measured. */
    public Soak soak() {
        return gauge.soak();
    }

    private void sample() {
        try {
            gauge.read();
        } catch (IOException | SQLException | RuntimeException e) {
            steward.trouble(e);
        }
    }

    /** Carries out the plan, then lets the ring come to its end. */
    public void run(List<Fault> plan, long millis) throws Exception {
        crew.start();
        awaitFirstPush();
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        try {
            for (Fault fault : plan) {
                clock.schedule(
                        () -> disturbance.apply(fault, clock),
                        fault.atMillis(),
                        TimeUnit.MILLISECONDS);
            }
            clock.scheduleWithFixedDelay(
                    this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (gauge != null) {
                long every = Math.max(MEASURE_MILLIS, millis / MOST_SAMPLES);
                clock.scheduleAtFixedRate(this::sample, every, every, TimeUnit.MILLISECONDS);
                clock.scheduleAtFixedRate(
                        crew::lookAtHeaps, 0, every * SAMPLES_PER_HEAP, TimeUnit.MILLISECONDS);
            }
            Thread.sleep(millis);
            clock.submit(disturbance::end).get();
        } finally {
            clock.shutdownNow();
            clock.awaitTermination(1, TimeUnit.MINUTES);
        }
        words.accept("the plan is carried out; now the ring comes to its end");
        disturbance.calm();
        crew.calm();
        if (steward.bringToEnd(crew, words)) {
            idleness.find().ifPresent(steward::find);
        }
        crew.stop();
        steward.lastLook();
    }

    /**
     * Waits for the first push: on a slow machine a short plan would else be over before there is
     * anything to disturb.
     */
    private void awaitFirstPush() throws InterruptedException {
        long end = System.nanoTime() + START_NANOS;
        while (ring.info().pushed() == 0 && System.nanoTime() - end < 0) {
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private void look() {
        try {
            crew.look();
            disturbance.order(steward::look);
        } catch (IOException | RuntimeException e) {
            steward.trouble(e);
        }
    }

    /** How often each kind of fault was carried out. */
    public Map<Kind, Integer> counts() {
        return disturbance.counts();
    }

    /** How many processes were killed. */
    public int kills() {
        return disturbance.kills();
    }

    /** How many processes ran with a clock that was wrong. */
    public int shifted() {
        return crew.shifted();
    }

    /** How many milliseconds it took from when all was done until nothing was written any more. */
    public long untilIdle() {
        return idleness.millis();
    }

    /** How much of one processor all processes together used then. */
    public double idleLoad() {
        return idleness.load();
    }

    /** What went wrong that no journal can show, in words. */
    public List<String> findings() {
        List<String> all = new ArrayList<>(crew.deaths());
        all.addAll(steward.findings());
        return all;
    }

    /** The effects that workers wrote together with their dones. */
    public List<Effect> effects() throws SQLException {
        try (Connection connection = arena.connect(false)) {
            return Effect.read(connection);
        }
    }

    @Override
    public void close() throws IOException {
        crew.end();
        disturbance.close();
        slipring.close();
        journal.close();
    }
}

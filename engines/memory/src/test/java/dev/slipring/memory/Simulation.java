// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ManualClock;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;

import java.time.Instant;
import java.util.List;
import java.util.Random;

/**
 * Runs of random steps on random rings. The test moves the clock and all chance comes from the
 * seed, so a seed makes the same run every time. {@code -Dseeds=N -Dsteps=M} runs more of them, or
 * longer ones; {@code -Dseed=N} runs one again.
 */
final class Simulation {

    /** The steps of one run on a ring. */
    interface Steps {
        /** Makes one random step. */
        void step();

        /** Brings all that is under way to its end, and checks that the promises were kept. */
        void finish();

        /** The steps that were made, for people. */
        List<String> log();
    }

    /** Begins on an empty store. */
    @FunctionalInterface
    interface Beginning {
        Steps on(Random random, Store store, ManualClock clock, RingSpec ring);
    }

    private final Class<?> test;
    private final int seeds;
    private final int steps;

    /** A simulation with this many seeds and steps, unless system properties ask for others. */
    Simulation(Class<?> test, int seeds, int steps) {
        this.test = test;
        this.seeds = Integer.getInteger("seeds", seeds);
        this.steps = Integer.getInteger("steps", steps);
    }

    void run(Beginning beginning) {
        Long seed = Long.getLong("seed");
        if (seed != null) {
            run(beginning, seed);
            return;
        }
        for (long i = 0; i < seeds; i++) {
            run(beginning, i);
        }
    }

    private void run(Beginning beginning, long seed) {
        Random random = new Random(seed);
        ManualClock clock = new ManualClock(Instant.ofEpochMilli(1_000_000));
        Store store = new MemoryEngine().open(new Opening("memory:", null, clock, true, false));
        Steps running = beginning.on(random, store, clock, Shapes.ring(random));
        try {
            for (int i = 0; i < steps; i++) {
                running.step();
            }
            running.finish();
        } catch (Throwable e) {
            throw new AssertionError(replay(seed) + e + "\n" + String.join("\n", running.log()), e);
        }
    }

    private String replay(long seed) {
        return String.format(
                "replay: mvn -pl engines/memory -am test -Dtest=%s"
                        + " -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dsteps=%d -Dseed=%d : ",
                test.getSimpleName(), steps, seed);
    }
}

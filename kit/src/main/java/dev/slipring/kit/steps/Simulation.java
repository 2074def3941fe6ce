// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Runs of random steps on random rings. All chance comes from the seed; where the test moves the
 * clock too, a seed makes the same run every time. {@code -Dseeds=N -Dsteps=M} runs more of them,
 * or longer ones, {@code -Dfrom=N} others, from that one on; {@code -Dseed=N} runs one again.
 */
public final class Simulation {

    /** The steps of one run on a ring. */
    public interface Steps {
        /** Makes one random step. */
        void step();

        /** Brings all that is under way to its end, and checks that the promises were kept. */
        void finish();

        /** The steps that were made, for people. */
        List<String> log();
    }

    /** Begins a run. */
    @FunctionalInterface
    public interface Beginning {
        /** Makes a ring for a seed; all chance is taken from here. */
        Steps on(long seed, Random random);
    }

    private final String test;
    private final int seeds;
    private final int steps;

    /**
     * A simulation with this many seeds and steps, unless system properties ask for others.
     *
     * @param test the test that runs it, as {@code -Dtest} names it
     */
    public Simulation(String test, int seeds, int steps) {
        this.test = test;
        this.seeds = Integer.getInteger("seeds", seeds);
        this.steps = Integer.getInteger("steps", steps);
    }

    /** Runs it. */
    public void run(Beginning beginning) {
        Long seed = Long.getLong("seed");
        if (seed != null) {
            run(beginning, seed);
            return;
        }
        long from = Long.getLong("from", 0);
        for (long i = from; i < from + seeds; i++) {
            run(beginning, i);
        }
    }

    private void run(Beginning beginning, long seed) {
        Steps running = beginning.on(seed, new Random(seed));
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
        // Maven runs a module's tests in its folder.
        Path folder = Path.of("").toAbsolutePath();
        int names = folder.getNameCount();
        Path module = folder.subpath(Math.max(0, names - 2), names);
        return "replay: mvn -pl "
                + module
                + " -am test -Dtest='"
                + test
                + "' -Dsurefire.failIfNoSpecifiedTests=false -Dsteps="
                + steps
                + " -Dseed="
                + seed
                + " : ";
    }
}

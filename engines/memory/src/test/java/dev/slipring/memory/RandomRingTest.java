// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ManualClock;
import dev.slipring.engine.Opening;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Random;

/**
 * Random rings under random steps keep the promises, by the account of an oracle of its own. Time
 * is the test's and all chance comes from the seed, so a seed is the same run every time. {@code
 * -DargLine="-Dseeds=N -Dsteps=M"} runs more of them, or longer ones.
 */
class RandomRingTest {

    private static final int SEEDS = Integer.getInteger("seeds", 10_000);
    private static final int STEPS = Integer.getInteger("steps", 80);

    @Test
    void randomRingsKeepThePromises() {
        Long seed = Long.getLong("seed");
        if (seed != null) {
            run(seed);
            return;
        }
        for (long i = 0; i < SEEDS; i++) {
            run(i);
        }
    }

    private static void run(long seed) {
        Random random = new Random(seed);
        ManualClock clock = new ManualClock(Instant.ofEpochMilli(1_000_000));
        Opening opening = new Opening("memory:", null, clock, true);
        RandomSteps steps =
                new RandomSteps(
                        random, new MemoryEngine().open(opening), clock, Shapes.ring(random));
        try {
            for (int i = 0; i < STEPS; i++) {
                steps.step();
            }
            steps.finish();
        } catch (Throwable e) {
            throw new AssertionError(
                    "replay: mvn -pl engines/memory -am test -Dtest=RandomRingTest"
                            + " -Dsurefire.failIfNoSpecifiedTests=false -DargLine='-Dsteps="
                            + STEPS
                            + " -Dseed="
                            + seed
                            + "'"
                            + " : "
                            + e
                            + "\n"
                            + String.join("\n", steps.log()),
                    e);
        }
    }
}

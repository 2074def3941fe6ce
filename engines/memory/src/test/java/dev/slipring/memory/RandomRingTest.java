// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ManualClock;
import dev.slipring.engine.Opening;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Random;

/** Random rings under random steps keep the promises, by the account of an oracle of its own. */
class RandomRingTest {

    private static final int SEEDS = Integer.getInteger("seeds", 300);
    private static final int STEPS = Integer.getInteger("steps", 80);

    /**
     * How often a seed is tried again on request: the ring chooses lanes at random itself, so that
     * with several lanes not every run of a seed is the same.
     */
    private static final int AGAIN = 200;

    @Test
    void randomRingsKeepThePromises() {
        Long seed = Long.getLong("seed");
        for (int i = 0; i < (seed == null ? SEEDS : AGAIN); i++) {
            run(seed == null ? i : seed);
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
                    "replay: mvn -f engines/memory/pom.xml test -Dtest=RandomRingTest"
                            + " -DargLine=-Dseed="
                            + seed
                            + " : "
                            + e
                            + "\n"
                            + String.join("\n", steps.log()),
                    e);
        }
    }
}

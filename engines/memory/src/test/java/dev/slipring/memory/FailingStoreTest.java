// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ManualClock;
import dev.slipring.engine.Opening;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Random;

/**
 * A client whose store fails and delays by plan is told nothing that is not true: what was
 * acknowledged is done in every stage, what was refused is nowhere, what was done does not come
 * again. All chance comes from the seed. {@code -DargLine=-Dseeds=N} runs more of them.
 */
class FailingStoreTest {

    private static final int SEEDS = Integer.getInteger("seeds", 5_000);
    private static final int STEPS = 60;

    @Test
    void aClientIsToldNothingUntrue() {
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
        FailingSteps steps =
                new FailingSteps(
                        random, new MemoryEngine().open(opening), clock, Shapes.ring(random));
        try {
            for (int i = 0; i < STEPS; i++) {
                steps.step();
            }
            steps.finish();
        } catch (Throwable e) {
            throw new AssertionError(
                    "replay: mvn -pl engines/memory -am test -Dtest=FailingStoreTest"
                            + " -Dsurefire.failIfNoSpecifiedTests=false -DargLine=-Dseed="
                            + seed
                            + " : "
                            + e
                            + "\n"
                            + String.join("\n", steps.log()),
                    e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ManualClock;
import dev.slipring.kit.steps.Shapes;
import dev.slipring.kit.steps.Simulation;

import org.junit.jupiter.api.Test;

/**
 * A client whose store fails and delays by plan is told nothing untrue: what was acknowledged is
 * done in every stage, what was refused is nowhere, and what was done does not come again.
 */
class FailingStoreTest {

    @Test
    void aClientIsToldNothingUntrue() {
        new Simulation("FailingStoreTest", 5_000, 60)
                .run(
                        (seed, random) -> {
                            ManualClock clock = Clocks.begin();
                            return new FailingSteps(
                                    random,
                                    Clocks.store(clock),
                                    clock,
                                    Shapes.ring(random, "ring", FailingSteps.LEASE));
                        });
    }
}

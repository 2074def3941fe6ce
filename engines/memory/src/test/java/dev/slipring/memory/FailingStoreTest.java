// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import org.junit.jupiter.api.Test;

/**
 * A client whose store fails and delays by plan is told nothing untrue: what was acknowledged is
 * done in every stage, what was refused is nowhere, and what was done does not come again.
 */
class FailingStoreTest {

    @Test
    void aClientIsToldNothingUntrue() {
        new Simulation(FailingStoreTest.class, 5_000, 60).run(FailingSteps::new);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import org.junit.jupiter.api.Test;

/** Random rings under random steps keep the promises, by the account of an independent oracle. */
class RandomRingTest {

    @Test
    void randomRingsKeepThePromises() {
        new Simulation(RandomRingTest.class, 10_000, 80).run(RandomSteps::new);
    }
}

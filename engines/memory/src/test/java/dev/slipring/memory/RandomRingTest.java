// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ManualClock;
import dev.slipring.kit.steps.RandomSteps;
import dev.slipring.kit.steps.Setting;
import dev.slipring.kit.steps.Simulation;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Random rings under random steps keep the promises, by the account of an independent oracle. */
class RandomRingTest {

    @Test
    void randomRingsKeepThePromises() {
        new Simulation("RandomRingTest", 10_000, 80)
                .run(
                        (seed, random) -> {
                            ManualClock clock = Clocks.begin();
                            Setting setting =
                                    new Setting(List.of(Clocks.store(clock)), clock, null);
                            return new RandomSteps(random, setting, "ring");
                        });
    }
}

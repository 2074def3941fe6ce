// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Random graphs under load. Every stage must get every message once, after all stages that it
 * follows, from a slot that no thread writes meanwhile. The message of a failure names the seed;
 * {@code -Dslipring.seed} runs it again, {@code -Dslipring.seconds} runs longer.
 */
class RandomGraphTest {

    private static final long SECONDS = Long.getLong("slipring.seconds", 10);

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void everyStageGetsEveryMessageOnce() throws Exception {
        Long given = Long.getLong("slipring.seed");
        long seed = given != null ? given : new Random().nextLong();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        int graphs = 0;
        do {
            new RandomGraph(seed).run();
            seed = seed * 6_364_136_223_846_793_005L + 1;
            graphs++;
        } while (given == null && System.nanoTime() < end);
        assertThat(graphs).isPositive();
    }
}

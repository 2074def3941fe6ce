// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;

/** The scale of a run follows from its seed, and that of a ring from what it holds. */
class ScaleTest {

    private static RingSpec ring(long seed) {
        return Course.ring(8, seed);
    }

    @Test
    void seedsHaveScales() {
        assertThat(Scale.of(1)).isEqualTo(Scale.WIDE);
        assertThat(Scale.of(2)).isEqualTo(Scale.SHORT);
        assertThat(Scale.of(3)).isEqualTo(Scale.SMALL);
        assertThat(Scale.of(4)).isEqualTo(Scale.SHORT);
        assertThat(Scale.of(-1)).isEqualTo(Scale.SMALL);
    }

    @Test
    void ringsHaveTheScalesOfTheirSeeds() {
        for (long seed = 0; seed < 8; seed++) {
            assertThat(Scale.of(ring(seed))).isEqualTo(Scale.of(seed));
        }
        assertThat(ring(1).lanes()).isEqualTo(8);
        assertThat(ring(3).lanes()).isEqualTo(1);
        assertThat(ring(7).lanes()).isEqualTo(2);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Topology;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

/** Every contestant does every topology that it can do, with the right checksums. */
@Timeout(120)
class ContestTest {

    @Test
    void everyoneComesToTheSameSums() throws Exception {
        for (Topology topology : Topology.ALL) {
            Load load = new Load(5_000, 256, topology.terms());
            for (Contestant contestant : Contestants.of(topology.shape())) {
                contestant.run(topology.shape(), load).check(topology.shape(), load);
            }
        }
    }

    @Test
    void aWrongSumIsSeen() {
        Shape shape = Shape.of(1, new int[] {1});
        Outcome lost = new Outcome(1, List.of(44L), List.of(0.0));
        assertThatThrownBy(() -> lost.check(shape, new Load(10, 2, 0)))
                .hasMessage("stage 0 has the checksum 44 instead of 45");
    }

    @Test
    void everyTopologyHasRivals() {
        for (Topology topology : Topology.ALL) {
            assertThat(Contestants.of(topology.shape())).hasSizeGreaterThanOrEqualTo(3);
            assertThat(Contestants.best(topology.shape())).hasSizeGreaterThanOrEqualTo(3);
        }
        assertThatThrownBy(() -> Topology.named("star")).hasMessageContaining("no topology 'star'");
    }
}

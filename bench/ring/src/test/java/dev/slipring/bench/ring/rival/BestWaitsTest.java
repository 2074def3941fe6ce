// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.topology.Topologies;
import dev.slipring.bench.ring.topology.Topology;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The short form has the rivals that were the best in the kept run. */
@Timeout(60)
class BestWaitsTest {

    private static final Path KEPT = Path.of("../results/2026-11-21-2-core-x86_64-ring-full");

    @Test
    void theyAreThoseOfTheKeptRun() throws Exception {
        Map<String, Set<String>> won = BestWaits.in(KEPT);
        for (Topology topology : Topologies.PLAIN) {
            for (int capacity : topology.capacities()) {
                Set<String> waits = won.get(topology.name() + ", " + capacity + " slots");
                if (waits != null) {
                    assertThat(BestWaits.of(topology.name(), capacity + " slots")).isEqualTo(waits);
                }
            }
        }
        assertThat(won).containsEntry("pipeline, 1024 slots", Set.of("yielding")).hasSize(16);
    }

    @Test
    void theShortFormHasThem() {
        assertThat(disruptors("pipeline", 1 << 16)).containsExactly("disruptor-yielding");
        assertThat(disruptors("1-1", 1 << 10))
                .containsExactly("disruptor-spinning", "disruptor-yielding");
        assertThat(disruptors("pool-8", 1 << 16))
                .containsExactly("disruptor3-yielding", "disruptor3-sleeping");
        assertThat(disruptors("pipeline-8", 1 << 16))
                .containsExactly("disruptor-yielding", "disruptor-sleeping");
        assertThat(disruptors("many", 1 << 16)).isEmpty();
    }

    private static List<String> disruptors(String topology, int capacity) {
        return Contestants.best(Topologies.named(topology), capacity).stream()
                .map(Contestant::name)
                .filter(name -> name.startsWith("disruptor"))
                .toList();
    }
}

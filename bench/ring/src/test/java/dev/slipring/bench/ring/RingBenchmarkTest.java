// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Topologies;
import dev.slipring.bench.ring.topology.Topology;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.annotations.Param;

import java.util.List;

/** All that JMH runs by default can be run. */
@Timeout(60)
class RingBenchmarkTest {

    private static List<String> values(String parameter) throws Exception {
        return List.of(RingBenchmark.class.getField(parameter).getAnnotation(Param.class).value());
    }

    @Test
    void allTopologiesAreNamed() throws Exception {
        assertThat(values("topology"))
                .containsAll(Topologies.PLAIN.stream().map(Topology::name).toList());
    }

    @Test
    void allSystemsThatCanDoThemAreNamed() throws Exception {
        List<Topology> topologies = values("topology").stream().map(Topologies::named).toList();
        assertThat(values("system"))
                .containsExactlyElementsOf(
                        Contestants.ALL.stream()
                                .filter(
                                        each ->
                                                topologies.stream()
                                                        .allMatch(graph -> each.can(graph.shape())))
                                .map(each -> each.name())
                                .toList());
    }

    @Test
    void aMillionMessagesComeThrough() throws Exception {
        RingBenchmark benchmark = new RingBenchmark();
        benchmark.topology = "1-1";
        benchmark.system = "slipring";
        benchmark.capacity = 1024;
        assertThat(benchmark.run().sums()).containsExactly(999_999L * 1_000_000 / 2);
    }
}

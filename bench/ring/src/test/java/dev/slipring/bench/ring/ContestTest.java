// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Pace;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Topologies;
import dev.slipring.bench.ring.topology.Topology;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.stream.Stream;

/** Every contestant does every topology that it can do, with the right checksums. */
@Timeout(120)
class ContestTest {

    private static List<Topology> topologies() {
        return Stream.concat(
                        Topologies.PLAIN.stream(),
                        Stream.of("text", "stages")
                                .flatMap(name -> Topologies.of(name, true).stream()))
                .toList();
    }

    @Test
    void everyoneComesToTheSameSums() throws Exception {
        for (Topology topology : topologies()) {
            // With many stages, a system that spins or blocks takes seconds where others take
            // milliseconds.
            List<Contestant> contestants =
                    topology.shape().stages() > 6
                            ? Contestants.best(topology, topology.capacities().get(0))
                            : Contestants.of(topology.shape());
            Load load = new Load(5_000, 256, topology.terms());
            for (Contestant contestant : contestants) {
                contestant.run(topology.shape(), load).check(topology.shape(), load);
            }
        }
    }

    @Test
    void everyoneMeasuresEachMessageAtTheEndOfTheGraph() throws Exception {
        int messages = 500;
        for (Topology topology : topologies()) {
            Shape shape = topology.shape();
            List<List<Integer>> levels = shape.levels();
            int atTheEnd = levels.get(levels.size() - 1).size();
            for (Contestant contestant : Contestants.best(topology, Readings.ROOMY)) {
                Pace pace = new Pace(shape, 1_000_000, messages);
                contestant.run(shape, new Load(messages, 256, 0, pace));
                assertThat(pace.latencies().getTotalCount())
                        .as(contestant.name() + ", " + topology.name())
                        .isEqualTo((long) messages * atTheEnd);
            }
        }
    }

    @Test
    void aRowOfTheTextHasItsNumbersInItsName() {
        Topology row = Topologies.named("text-worker-5000-4-100");
        assertThat(row.messages()).isEqualTo(5_000_000);
        assertThat(row.shape()).isEqualTo(Shape.of(1, new int[] {4}, new int[] {1}));
        assertThat(row.terms()).isEqualTo(100);
        assertThat(row.capacities()).containsExactly(1 << 22);
        assertThat(row.setting(1 << 22)).isEqualTo("worker, 5000 thousand, 4 workers, 100 terms");
        assertThat(Topologies.of("text", true))
                .hasSize(12)
                .contains(
                        Topologies.named("text-fanout-500-2-10"),
                        Topologies.named("text-worker-5000-4-10"));
    }

    @Test
    void aPipelineHasItsStagesInItsName() {
        Topology pipeline = Topologies.named("pipeline-16");
        assertThat(pipeline.shape().stages()).isEqualTo(16);
        assertThat(pipeline.shape().threads()).isEqualTo(17);
        assertThat(pipeline.setting(1024)).isEqualTo("16 stages, 1024 slots");
        assertThat(Topologies.of("stages", false))
                .extracting(Topology::name)
                .containsExactly(
                        "pipeline-1", "pipeline-2", "pipeline-4", "pipeline-8", "pipeline-16");
    }

    @Test
    void aWrongSumIsSeen() {
        Shape shape = Shape.of(1, new int[] {1});
        Outcome lost = new Outcome(1, 1, List.of(44L), List.of(0.0));
        assertThatThrownBy(() -> lost.check(shape, new Load(10, 2, 0)))
                .hasMessage("stage 0 has the checksum 44 instead of 45");
    }

    @Test
    void everyTopologyHasRivals() {
        for (Topology topology : topologies()) {
            assertThat(Contestants.of(topology.shape())).hasSizeGreaterThanOrEqualTo(3);
            for (int capacity : topology.capacities()) {
                assertThat(Contestants.best(topology, capacity)).hasSizeGreaterThanOrEqualTo(3);
            }
        }
        assertThatThrownBy(() -> Topologies.named("star"))
                .hasMessageContaining("no topology 'star'");
    }
}

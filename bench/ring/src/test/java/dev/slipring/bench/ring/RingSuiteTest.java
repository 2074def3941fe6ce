// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.slipring.bench.Bench;
import dev.slipring.bench.BenchRequest;
import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.bench.ring.topology.Topologies;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The workloads that are named are measured, each in a Java of its own, and printed. */
@Timeout(120)
class RingSuiteTest {

    private static List<JsonNode> lines(String workload) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Bench.run(
                BenchRequest.DEFAULT
                        .workloads(List.of(workload))
                        .rounds(1, Duration.ofMillis(1))
                        .asJson(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        List<JsonNode> lines = new ArrayList<>();
        for (String line : out.toString(StandardCharsets.UTF_8).split("\n")) {
            lines.add(new ObjectMapper().readTree(line));
        }
        return lines;
    }

    @Test
    void aRowIsMeasuredAndPrinted() throws Exception {
        List<JsonNode> lines = lines("ring/text-fanout-1-2-10");
        assertThat(lines).extracting(line -> line.get("engine").asText()).containsOnly("ring");
        assertThat(lines).extracting(line -> line.get("workload").asText()).containsOnly("text");
        assertThat(lines).allMatch(line -> line.get("messages_per_second").asDouble() > 0);
        assertThat(lines).allMatch(line -> line.get("ratio").asDouble() > 0);
        assertThat(lines)
                .allMatch(line -> line.get("variant").asText().startsWith("fanout, 1 thousand, "));
        assertThat(lines)
                .extracting(line -> line.get("system").asText())
                .containsExactly(
                        "slipring",
                        "disruptor-yielding",
                        "disruptor-sleeping",
                        "questdb-yielding",
                        "questdb-parking");
    }

    @Test
    void latenciesAreMeasuredAtTwoRates() throws Exception {
        List<JsonNode> lines = lines("ring/latency/many");
        assertThat(lines).extracting(line -> line.get("workload").asText()).containsOnly("many");
        assertThat(lines)
                .extracting(line -> line.get("variant").asText().split(", ")[1])
                .containsOnly("100,000/s", "1,000,000/s");
        assertThat(lines).allMatch(line -> line.get("p50_ms").asDouble() > 0);
        assertThat(lines)
                .allMatch(line -> line.get("p99_ms").asDouble() >= line.get("p50_ms").asDouble());
    }

    @Test
    void whatIsNotThereIsRefused() {
        assertThatThrownBy(() -> lines("ring/short")).hasMessageContaining("no topology 'short'");
        assertThatThrownBy(() -> lines("ring/full/star"))
                .hasMessageContaining("no topology 'star'");
        assertThatThrownBy(() -> lines("nope"))
                .hasMessageContaining("no workload 'nope'")
                .hasMessageContaining("ring, ring/full, ring/TOPOLOGY");
    }

    /** A ring that loses its first message. */
    private static final class Losing implements Contestant {

        @Override
        public String name() {
            return "losing";
        }

        @Override
        public boolean can(Shape shape) {
            return true;
        }

        @Override
        public Outcome run(Shape shape, Load load) {
            long sum = load.messages() * (load.messages() - 1) / 2;
            return new Outcome(1, 1, List.of(sum - 1), List.of(0.0));
        }
    }

    @Test
    void aRunWithAWrongSumHasNoFigure() {
        assertThatThrownBy(
                        () -> Heat.once(Topologies.named("1-1"), new Losing(), new Load(10, 64, 0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("stage 0 has the checksum 44 instead of 45");
    }
}

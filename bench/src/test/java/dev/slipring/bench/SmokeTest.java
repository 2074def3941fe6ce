// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Each workload runs, is verified by its checksum, tells every field and leaves nothing behind. */
class SmokeTest {

    private static final String MOST_WAITING = "slipring.bench.waiting";
    private static final Duration SHORT = Duration.ofMillis(500);

    @TempDir private Path folder;

    @BeforeEach
    void waitForFew() {
        System.setProperty(MOST_WAITING, "20000");
    }

    @AfterEach
    void waitForAll() {
        System.clearProperty(MOST_WAITING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cycle", "threads", "backlog", "fanout", "latency", "idle"})
    void everyWorkloadOnSqlite(String workload) throws IOException {
        List<JsonNode> rows =
                Outcome.of(
                        BenchRequest.DEFAULT
                                .url("sqlite:" + folder.resolve("x.db"))
                                .workloads(List.of(workload))
                                .rounds(1, SHORT));
        assertThat(rows)
                .extracting(row -> row.get("system").asText())
                .contains("slipring", "naive");
        if (workload.equals("latency")) {
            assertThat(rows)
                    .filteredOn(row -> row.get("variant").asText().contains("another process"))
                    .isNotEmpty()
                    .allMatch(row -> row.get("p99_ms").asDouble() > 0);
        }
        for (JsonNode row : rows) {
            assertThat(row.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "engine",
                            "workload",
                            "variant",
                            "system",
                            "threads",
                            "batch",
                            "bytes",
                            "messages_per_second",
                            "p50_ms",
                            "p99_ms",
                            "ratio");
            assertThat(row.get("engine").asText()).isEqualTo("sqlite");
            assertThat(row.get("workload").asText()).isEqualTo(workload);
            assertThat(row.get("bytes").asInt()).isEqualTo(300);
            if (workload.equals("idle")) {
                assertThat(row.get("variant").asText()).contains("% of a core", "no write");
                assertThat(row.get("messages_per_second").asDouble()).isZero();
            } else if (row.get("system").asText().equals("naive")) {
                assertThat(row.get("ratio").asDouble()).isEqualTo(1.0);
            }
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    /** In memory, a ring that was filled is still there in the next round. */
    @Test
    void memoryCanDoAllThatIsMeasuredOnIt() throws IOException {
        List<JsonNode> rows =
                Outcome.of(BenchRequest.DEFAULT.url("memory:").rounds(2, Duration.ofMillis(50)));
        assertThat(rows)
                .extracting(row -> row.get("workload").asText())
                .contains("cycle", "threads", "backlog", "fanout", "latency", "idle");
        assertThat(rows)
                .extracting(row -> row.get("variant").asText())
                .anyMatch(variant -> variant.startsWith("waiting 20000"));
    }

    @Test
    void memoryHasNoBaseline() throws IOException {
        List<JsonNode> rows =
                Outcome.counted(
                        BenchRequest.DEFAULT.url("memory:").workloads(List.of("cycle")), SHORT);
        assertThat(rows)
                .hasSize(4)
                .allSatisfy(
                        row -> {
                            assertThat(row.get("engine").asText()).isEqualTo("memory");
                            assertThat(row.get("messages_per_second").asDouble()).isPositive();
                            assertThat(row.get("ratio").isNull()).isTrue();
                        });
    }

    @Test
    void resultsAreKept() throws IOException {
        Path results = folder.resolve("results");
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        Bench.run(
                BenchRequest.DEFAULT
                        .url("memory:")
                        .workloads(List.of("latency"))
                        .rounds(2, Duration.ofMillis(50))
                        .results(results),
                new PrintStream(table, true, StandardCharsets.UTF_8),
                Outcome.quiet());
        assertThat(table.toString(StandardCharsets.UTF_8)).contains("messages/s", "slipring");
        try (Stream<Path> files = Files.walk(results)) {
            assertThat(files.filter(Files::isRegularFile).map(Path::getFileName))
                    .extracting(Path::toString)
                    .containsExactlyInAnyOrder("README.md", "latency.jsonl", "latency.svg");
        }
    }
}

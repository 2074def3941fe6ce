// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Workloads and the texts' queues run on a real server, are verified by their checksums, and leave
 * no table of theirs behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerSmoke {

    private static final Duration SHORT = Duration.ofMillis(300);

    @RegisterExtension private final RunningServer server;
    private String database;

    ServerSmoke(ServerFiles files) {
        server = new RunningServer(files);
    }

    Server server() {
        return server.get();
    }

    @BeforeEach
    void newDatabase() {
        database = server.get().newDatabase();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cycle", "threads", "latency"})
    void everyMessageComes(String workload) throws Exception {
        List<JsonNode> rows = run(workload);
        assertThat(rows)
                .extracting(row -> row.get("system").asText())
                .contains("slipring", "naive");
        assertThat(rows)
                .allSatisfy(
                        row -> {
                            assertThat(row.get("workload").asText()).isEqualTo(workload);
                            assertThat(row.get("messages_per_second").asDouble()).isPositive();
                        });
        assertThat(tables()).noneMatch(table -> table.startsWith("naive"));
    }

    @Test
    void aReaderTellsWhatWasLeftOfTheRate() throws Exception {
        assertThat(run("reader"))
                .hasSize(2)
                .allSatisfy(
                        row ->
                                assertThat(row.get("variant").asText())
                                        .matches("long reader, .* of before, its second half .*"));
    }

    @Test
    void theTextsQueuesLeaveNothing() throws Exception {
        assertThat(run("sources-brief"))
                .extracting(row -> row.get("system").asText())
                .contains("naive", "lmax", "random-lane", "slipring");
        assertThat(tables()).noneMatch(table -> table.startsWith("source_"));
    }

    private List<JsonNode> run(String workload) throws Exception {
        return run(workload, server.get().url(database));
    }

    static List<JsonNode> run(String workload, String url) throws Exception {
        return Outcome.of(
                BenchRequest.DEFAULT.url(url).workloads(List.of(workload)).rounds(1, SHORT));
    }

    private List<String> tables() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = server.get().connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW TABLES")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.slipring.Message;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Workloads and the texts' queues run on a real server, are verified by their checksums, leave
 * nothing behind, and touch nothing of the database that the URL names.
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
        List<JsonNode> rows =
                Outcome.counted(
                        BenchRequest.DEFAULT
                                .url(server.get().url(database))
                                .workloads(List.of(workload)),
                        SHORT);
        assertThat(rows)
                .extracting(row -> row.get("system").asText())
                .contains("slipring", "naive");
        assertThat(rows)
                .allSatisfy(
                        row -> {
                            assertThat(row.get("workload").asText()).isEqualTo(workload);
                            assertThat(row.get("messages_per_second").asDouble()).isPositive();
                        });
        assertThat(tables()).isEmpty();
        assertThat(benchDatabases()).isEmpty();
    }

    /**
     * The bench leaves the database of the URL alone, even if that has tables with the names that
     * the bench uses.
     */
    @ParameterizedTest
    @ValueSource(strings = {"cycle", "sources-brief"})
    void whatIsInTheDatabaseStays(String workload) throws Exception {
        List<String> mine =
                List.of("naive_queue_0", "source_ring", "source_push_counter", "source_place");
        for (String table : mine) {
            server.get().run("CREATE TABLE " + database + "." + table + " (id INT)");
        }
        server.get().run("CREATE PROCEDURE " + database + ".source_pop () SELECT 1");
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            slipring.create(RingSpec.named("bench")).push(Message.of("mine"));
            assertThat(run(workload))
                    .extracting(row -> row.get("system").asText())
                    .contains("slipring", "naive");
            assertThat(slipring.ring("bench").info().heldMessages()).isEqualTo(1);
        }
        assertThat(tables()).containsAll(mine);
        server.get().run("CALL " + database + ".source_pop ()");
        assertThat(benchDatabases()).isEmpty();
    }

    @Test
    void aProcessThatIsEndedTakesItsDatabasesWithIt(@TempDir Path folder) throws Exception {
        String url = server.get().url(database);
        try (BenchProcess process =
                new BenchProcess(folder, BenchMain.class, "cycle", "--url", url)) {
            process.awaitWords("round 1 of 5: ");
            // Waits, as between two runs there is no such database.
            process.await(() -> !benchDatabases().isEmpty());
            process.terminate();
            assertThat(process.words())
                    .contains("bench was ended; it takes back: DROP DATABASE")
                    .doesNotContain("Exception", "left over");
        }
        assertThat(benchDatabases()).isEmpty();
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

    private List<JsonNode> run(String workload) throws Exception {
        return run(workload, server.get().url(database));
    }

    static List<JsonNode> run(String workload, String url) throws Exception {
        return Outcome.of(
                BenchRequest.DEFAULT.url(url).workloads(List.of(workload)).rounds(1, SHORT));
    }

    private List<String> tables() throws SQLException {
        return column("SHOW TABLES");
    }

    private List<String> benchDatabases() throws SQLException {
        return column("SHOW DATABASES LIKE 'slipring\\_bench\\_%'");
    }

    private List<String> column(String sql) throws SQLException {
        List<String> cells = new ArrayList<>();
        try (Connection connection = server.get().connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                cells.add(rows.getString(1));
            }
        }
        return cells;
    }
}

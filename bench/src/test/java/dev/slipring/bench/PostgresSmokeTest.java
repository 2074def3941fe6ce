// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;

import dev.slipring.StoreFailed;
import dev.slipring.kit.server.DebianPostgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Each workload runs on a real PostgreSQL, beside PgQ where Debian's packages are installed and on
 * the server that the build brings where they are not, and leaves no database behind.
 */
class PostgresSmokeTest {

    private static final String MOST_WAITING = "slipring.bench.waiting";
    private static final Duration SHORT = Duration.ofMillis(200);

    @TempDir private static Path folder;
    private static AutoCloseable server;
    private static String url;
    private static boolean pgq;

    @BeforeAll
    static void start() throws Exception {
        pgq = DebianPostgres.isInstalledWith("pgq");
        if (pgq) {
            DebianPostgres debian = new DebianPostgres(folder);
            server = debian;
            url = debian.url("postgres");
        } else {
            EmbeddedPostgres embedded =
                    EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(3)).start();
            server = embedded;
            url = "postgresql://postgres@127.0.0.1:" + embedded.getPort() + "/postgres";
        }
        System.setProperty(MOST_WAITING, "5000");
    }

    @AfterAll
    static void stop() throws Exception {
        System.clearProperty(MOST_WAITING);
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "backlog", "fanout", "latency", "transactional", "wal"})
    void everyWorkloadDelivers(String workload) throws Exception {
        List<JsonNode> rows = run(workload);
        assertThat(systems(rows)).contains("slipring", "skip-locked");
        assertThat(systems(rows).contains("pgq")).isEqualTo(pgq);
        assertThat(rows)
                .allSatisfy(
                        row -> {
                            assertThat(row.get("engine").asText()).isEqualTo("postgresql");
                            assertThat(row.get("workload").asText()).isEqualTo(workload);
                            assertThat(row.get("messages_per_second").asDouble()).isNotNegative();
                        });
        switch (workload) {
            case "latency" ->
                    assertThat(rows)
                            .filteredOn(row -> variant(row).contains("from another process"))
                            .isNotEmpty()
                            .allMatch(row -> row.get("p99_ms").asDouble() > 0);
            case "transactional" ->
                    assertThat(rows).allMatch(row -> row.get("ratio").asDouble() > 0);
            case "wal" ->
                    assertThat(rows)
                            .allMatch(row -> variant(row).matches(".*[1-9].* bytes of log.*"));
            default -> assertThat(systems(rows)).hasSizeGreaterThan(1);
        }
        assertThat(databases()).containsExactly("postgres");
    }

    @Test
    void heldTellsWhatItDid() throws Exception {
        List<JsonNode> rows = run("held");
        for (String system : systems(rows)) {
            assertThat(rows)
                    .filteredOn(row -> row.get("system").asText().equals(system))
                    .extracting(PostgresSmokeTest::variant)
                    .satisfiesExactly(
                            clean -> assertThat(clean).startsWith("clean, ").contains("MiB"),
                            snapshot -> assertThat(snapshot).startsWith("held snapshot, "),
                            idle -> assertThat(idle).startsWith("idle transaction, "),
                            readers -> assertThat(readers).startsWith("readers of other tables, "),
                            ours ->
                                    assertThat(ours)
                                            .startsWith("reader of ours, ")
                                            .contains("full"));
        }
        assertThat(databases()).containsExactly("postgres");
    }

    @Test
    void idleWritesNothing() throws Exception {
        String said = "";
        // Several tries: the server also writes by itself, for up to 15 seconds after others have
        // written.
        for (int i = 0; i < 20 && !said.contains("% of a core, no write"); i++) {
            said =
                    run("idle").stream()
                            .filter(row -> row.get("system").asText().equals("slipring"))
                            .map(PostgresSmokeTest::variant)
                            .collect(Collectors.joining());
        }
        assertThat(said).contains("% of a core, no write");
    }

    @Test
    void aProcessThatIsEndedTakesItsDatabasesWithIt() throws Exception {
        try (BenchProcess process =
                new BenchProcess(folder, BenchMain.class, "cycle", "--url", url)) {
            process.awaitWords("round 1 of 5: ");
            // Waits, as between two runs there is no such database.
            process.await(() -> databases().size() > 1);
            process.terminate();
            assertThat(process.words())
                    .contains("bench was ended; it takes back: DROP DATABASE")
                    .doesNotContain("Exception", "left over");
        }
        assertThat(databases()).containsExactly("postgres");
    }

    /** A wrong URL is refused before anything is measured, as 'slipring info' refuses it. */
    @Test
    void whatIsWrongWithTheUrlIsSaidAtOnce() {
        BenchRequest request = BenchRequest.DEFAULT.workloads(List.of("cycle"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Outcome.of(request.url(url + "?nonsense=1")))
                .withMessageContaining("no option 'nonsense'");
        assertThatThrownBy(() -> Outcome.of(request.url(url + "_gone")))
                .isInstanceOf(StoreFailed.class);
        assertThatThrownBy(() -> Outcome.of(request.url(url.replaceFirst(":\\d+/", ":1/"))))
                .isInstanceOf(StoreFailed.class);
    }

    @Test
    void whatAnEngineCannotDoIsRefusedInWords() {
        BenchRequest request = BenchRequest.DEFAULT.url("memory:").workloads(List.of("held"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bench.run(request, System.out, System.err))
                .withMessageContaining("workload held cannot be measured on memory");
    }

    private static String variant(JsonNode row) {
        return row.get("variant").asText();
    }

    private static Set<String> systems(List<JsonNode> rows) {
        return rows.stream().map(row -> row.get("system").asText()).collect(Collectors.toSet());
    }

    private static List<JsonNode> run(String workload) throws IOException {
        Path results = Files.createTempDirectory(folder, workload);
        BenchRequest request =
                BenchRequest.DEFAULT.url(url).workloads(List.of(workload)).results(results);
        // Elsewhere nothing may come: in a ring that is full, or where nothing is measured.
        List<JsonNode> rows =
                workload.equals("transactional")
                        ? Outcome.counted(request, SHORT)
                        : Outcome.of(request.rounds(1, SHORT));
        try (var files = Files.walk(results)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains(workload + ".jsonl", workload + ".svg", "README.md");
        }
        return rows;
    }

    private static List<String> databases() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:" + url.replace("postgres@", "") + "?user=postgres");
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT datname FROM pg_database WHERE NOT datistemplate")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }
}

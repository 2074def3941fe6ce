// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.slipring.Slipring;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The commands that show and change a living ring. */
class LivingRingTest {

    private final ObjectMapper json = new ObjectMapper();
    private Shell shell;

    @BeforeEach
    void open(@TempDir Path folder) {
        shell = new Shell(folder);
    }

    private JsonNode info() throws Exception {
        return json.readTree(shell.run("info", "r", "--json").text());
    }

    @Test
    void infoShowsTheRing() throws Exception {
        assertThat(shell.run("info").err()).contains("there is no file");
        shell.run(
                "create",
                "r",
                "--messages",
                "2K",
                "--bytes",
                "1M",
                "--stage",
                "a:lease=5s:tries=2",
                "--stage",
                "b:after=a:ordered");
        shell.feed("1\n2\n3\n", "push", "r");
        shell.run("pop", "r", "--stage", "a", "--max", "2");
        JsonNode ring = info();
        assertThat(ring.get("capacity_messages").asLong()).isEqualTo(2_000);
        assertThat(ring.get("capacity_bytes").asLong()).isEqualTo(1_048_576);
        assertThat(ring.get("held_messages").asLong()).isEqualTo(3);
        assertThat(ring.get("gate").get(0).asText()).isEqualTo("b");
        JsonNode a = ring.get("stages").get(0);
        assertThat(a.get("done").asLong()).isEqualTo(2);
        assertThat(a.get("lag_messages").asLong()).isEqualTo(1);
        assertThat(a.get("lease_ms").asLong()).isEqualTo(5_000);
        assertThat(ring.get("stages").get(1).get("mode").asText()).isEqualTo("ordered");
        assertThat(shell.run("info").text()).contains("ring r", "3 of 2,000 messages", "held by b");
    }

    @Test
    void stagesComeAndGo() throws Exception {
        shell.feed("1\n2\n", "push", "r");
        assertThat(shell.run("stage", "r", "add", "late:after=main").code()).isZero();
        assertThat(shell.run("stage", "r", "ls", "--json").lines()).hasSize(2);
        assertThat(shell.run("stage", "r", "--json", "ls").lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("{"));
        shell.run("stage", "r", "pause", "main");
        assertThat(shell.run("pop", "r", "--stage", "main").out()).isEmpty();
        assertThat(info().get("stages").get(0).get("paused").asBoolean()).isTrue();
        shell.run("stage", "r", "resume", "main");
        assertThat(shell.run("pop", "r", "--stage", "main").lines()).containsExactly("1", "2");
        assertThat(shell.run("stage", "r", "rewind", "main").err()).contains("2 messages again");
        assertThat(shell.run("pop", "r", "--stage", "main").lines()).containsExactly("1", "2");
        assertThat(shell.run("stage", "r", "rm", "late").code()).isZero();
        assertThat(info().get("held_messages").asLong()).isZero();
        assertThat(shell.run("check", "r", "--json").text()).contains("\"ok\":true");
    }

    @Test
    void jsonIsRefusedWhereThereIsNone() {
        shell.feed("1\n", "push", "r");
        assertThat(shell.run("stage", "r", "--json", "pause", "main").code()).isEqualTo(2);
        assertThat(shell.run("dead", "r", "--json", "retry").err()).contains("Unknown option");
        assertThat(shell.run("pop", "r").lines()).containsExactly("1");
    }

    @Test
    void aStageGetsOtherSettings() throws Exception {
        shell.feed("1\n", "push", "r");
        assertThat(shell.run("stage", "r", "set", "main", "--lease", "2m", "--tries", "9").err())
                .contains("leases of 2m, 9 attempts, a back-off of 1s to 10m");
        JsonNode main = info().get("stages").get(0);
        assertThat(main.get("lease_ms").asLong()).isEqualTo(120_000);
        assertThat(main.get("tries").asLong()).isEqualTo(9);
        assertThat(shell.run("stage", "r", "set", "main", "--backoff", "0s", "--keep", "1K").err())
                .contains("leases of 2m, 9 attempts", "0ms to 10m", "1,000 messages");
        main = info().get("stages").get(0);
        assertThat(main.get("backoff_first_ms").asLong()).isZero();
        assertThat(main.get("backoff_most_ms").asLong()).isEqualTo(600_000);
        assertThat(main.get("keep").asLong()).isEqualTo(1_000);
        assertThat(shell.run("stage", "r", "set", "main").code()).isEqualTo(2);
        assertThat(shell.run("stage", "r", "set", "main", "--lease", "0s").err())
                .contains("lease", "1 ms to 24 hours");
        assertThat(shell.run("stage", "r", "set", "other", "--tries", "1").err())
                .contains("no stage 'other'", "main");
    }

    @Test
    void aRingMayBeCalledLikeACommand() {
        assertThat(shell.run("create", "ls").code()).isZero();
        assertThat(shell.run("stage", "ls", "ls").text()).contains("main");
        assertThat(shell.run("dead", "ls", "ls").code()).isZero();
        assertThat(shell.run("info", "ls").code()).isZero();
    }

    @Test
    void whatCannotBeUndoneNeedsConsent() {
        shell.feed("1\n", "push", "r");
        for (List<String> command :
                List.of(
                        List.of("purge", "r"),
                        List.of("resize", "r", "--messages", "5"),
                        List.of("drop", "r"))) {
            Shell.Run refused = shell.run(command.toArray(String[]::new));
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("--yes");
        }
        assertThat(shell.run("resize", "r", "--messages", "5", "--yes").code()).isZero();
        assertThat(shell.run("purge", "r", "--yes").err()).contains("1 message removed");
        assertThat(shell.run("pop", "r").out()).isEmpty();
        assertThat(shell.run("drop", "r", "--yes").code()).isZero();
        assertThat(shell.run("info", "r").code()).isEqualTo(1);
    }

    @Test
    void deadLetters() throws Exception {
        shell.run("create", "r", "--stage", "main:tries=1");
        shell.feed("bad\nworse\n", "push", "r");
        try (Slipring slipring = Slipring.open(shell.url())) {
            slipring.ring("r").stage().claim(10, Duration.ZERO).deliveries();
        }
        assertThat(info().get("stages").get(0).get("in_hand").asLong()).isEqualTo(2);
        shell.run("stage", "r", "rewind", "main");
        try (Slipring slipring = Slipring.open(shell.url())) {
            slipring.ring("r")
                    .stage()
                    .drain(
                            delivery -> {
                                throw new IllegalStateException("no good");
                            });
        }
        JsonNode letter = json.readTree(shell.run("dead", "r", "ls", "--json").lines().get(0));
        assertThat(json.readTree(shell.run("dead", "r", "--json", "ls").lines().get(0)))
                .isEqualTo(letter);
        assertThat(letter.get("id").asText()).isEqualTo("0-0");
        assertThat(letter.get("body").asText()).isEqualTo("bad");
        assertThat(letter.get("error").asText()).contains("no good");
        assertThat(shell.run("dead", "r", "--stage", "main", "ls").text())
                .contains("worse", "no good");
        assertThat(shell.run("dead", "r", "retry", "0-0").code()).isZero();
        assertThat(shell.run("pop", "r").lines()).containsExactly("bad");
        assertThat(shell.run("dead", "r", "drop", "0-9").err())
                .contains("1 of the ids that were named is no dead letter");
        assertThat(shell.run("dead", "r", "drop").err()).contains("1 dead letter");
        assertThat(shell.run("dead", "r", "ls").err()).contains("no dead letters");
    }

    @Test
    void theSchema(@TempDir Path folder) throws Exception {
        shell = new Shell(folder);
        assertThat(shell.run("migrate", "print").text()).containsIgnoringCase("create table");
        Shell.Run missing = shell.run("migrate", "status");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).contains("there is no file");
        assertThat(folder.toFile().list()).isEmpty();
        // A database that has nothing of Slipring in it.
        Files.createFile(folder.resolve("test.db"));
        assertThat(shell.run("migrate", "status").text())
                .contains("not installed; 'slipring migrate apply' creates it");
        assertThat(shell.run("migrate", "apply").code()).isZero();
        assertThat(shell.run("migrate", "status").text()).contains("up to date");
        assertThat(shell.run("migrate", "status", "--json").text()).contains("\"up_to_date\":true");
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("test.db"));
                Statement sql = connection.createStatement()) {
            sql.execute("UPDATE slipring_schema SET version = version + 1");
        }
        assertThat(shell.run("migrate", "status").err()).contains("upgrade Slipring");
        for (List<String> newer :
                List.of(
                        List.of("migrate", "status", "--json"),
                        List.of("migrate", "--json", "status"))) {
            Shell.Run run = shell.run(newer.toArray(String[]::new));
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).contains("upgrade Slipring");
            assertThat(run.text())
                    .contains("\"installed\":2", "\"current\":1", "\"up_to_date\":false");
        }
    }
}

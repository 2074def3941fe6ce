// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.torture.arena.Arena;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;

class TortureTest {

    private static final String SLOW = "after the server was back";

    @TempDir Path folder;

    private static TortureRequest request(String url) {
        return request(url, 1);
    }

    private static TortureRequest request(String url, long seed) {
        return new TortureRequest(url, seed, Duration.ofSeconds(8), null, false, 0);
    }

    /** A short run with real processes: some are killed, nothing is lost. */
    @Test
    void aShortRunFindsNothing() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        boolean good = Torture.run(request("sqlite:" + folder.resolve("t.db")), out, out);
        String said = bytes.toString(StandardCharsets.UTF_8);
        assertThat(good).as(said).isTrue();
        assertThat(said).containsPattern("processes killed +[1-9]");
        assertThat(said).containsPattern("messages +[1-9]");
        assertThat(said).containsPattern("lost +0");
        assertThat(folder.resolve("t.db.journals")).doesNotExist();
    }

    /**
     * A server of the torture's own is killed and started again, by the plans of these seeds;
     * nothing is lost.
     */
    @ParameterizedTest
    @CsvSource({"postgresql, 6", "mariadb, 103"})
    void aServerThatIsKilled(String kind, long seed) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        boolean good = Torture.run(request(kind + ":" + folder.resolve(kind), seed), out, out);
        String said = bytes.toString(StandardCharsets.UTF_8);
        assertThat(said).containsPattern("kill -9 of the server, started again +[1-9]");
        assertThat(said).containsPattern("lost +0");
        // How soon the server recovers depends on the machine; what it keeps does not.
        long slow = said.lines().filter(line -> line.matches("promise .*" + SLOW)).count();
        assertThat(good || said.matches("(?s).*\\nviolations +" + slow + "\\n.*"))
                .as(said)
                .isTrue();
    }

    /** A plan that is over before its first fault, or does not fill the disk, proves nothing. */
    @Test
    void aRunWithoutAFaultIsNotGood() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        String url = "sqlite:" + folder.resolve("t.db");
        Duration time = Duration.ofMillis(500);
        boolean good = Torture.run(new TortureRequest(url, 1, time, null, false, 0), out, out);
        String said = bytes.toString(StandardCharsets.UTF_8);
        assertThat(said).contains("no fault was carried out", "skipped: a full disk: ");
        assertThat(good).as(said).isFalse();
    }

    @Test
    void aSoakMeasures() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        Path journals = folder.resolve("soak");
        String url = "sqlite:" + folder.resolve("soak.db");
        Duration time = Duration.ofSeconds(8);
        Torture.run(new TortureRequest(url, 1, time, journals, true, 2_000), out, out);
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .containsPattern("processes killed +0")
                .containsPattern("memory of the clients, MiB +[1-9]");
        assertThat(journals.resolve("store/soak.csv")).content().contains("seconds,client_mib");
        assertThat(journals.resolve("store/soak.svg")).content().contains("<polyline points=\"");
    }

    /**
     * A database with tables is refused: the torture might disturb or drop what others have there.
     */
    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb"})
    void aDatabaseThatIsNotEmptyIsRefused(String kind) throws Exception {
        try (Arena server = Arena.of(kind + ":" + folder.resolve(kind))) {
            server.open();
            String url = server.url();
            run(server, "CREATE TABLE orders (id INT)");
            refused(url, "orders' in " + kind);
            run(server, "DROP TABLE orders");
            try (Slipring slipring = Slipring.open(url)) {
                slipring.create(RingSpec.named("mine"));
                refused(url, "a ring 'mine' in " + kind);
                slipring.drop("mine");
            }
            Arena.of(url).checkFree();
        }
    }

    private static void run(Arena arena, String sql) throws Exception {
        try (Connection connection = arena.connect(true);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            connection.commit();
        }
    }

    @Test
    void noFolderIsMade() {
        refused("sqlite:" + folder.resolve("gone/t.db"), "no folder '" + folder + "/gone'");
        refused("postgresql:" + folder.resolve("gone/t"), "no folder '" + folder + "/gone'");
        TortureRequest request =
                new TortureRequest(
                        "sqlite:" + folder.resolve("t.db"),
                        1,
                        Duration.ofSeconds(8),
                        folder.resolve("gone/journals"),
                        false,
                        0);
        assertThatThrownBy(() -> Torture.run(request, System.out, System.err))
                .hasMessageContaining("no folder '" + folder + "/gone'");
        assertThat(folder).isEmptyDirectory();
    }

    private static void refused(String url, String words) {
        assertThatThrownBy(() -> Torture.run(request(url), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void onlyAFreePlaceIsTaken() throws Exception {
        Path there = Files.createFile(folder.resolve("there.db"));
        assertThatThrownBy(() -> Torture.run(request("sqlite:" + there), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("already");
        assertThatThrownBy(() -> Torture.run(request("memory:"), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("processes share");
        assertThatThrownBy(() -> Torture.run(request("mariadb:" + folder), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("new folder");
        assertThatThrownBy(() -> Torture.run(request("postgresql:"), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names no folder");
        assertThatThrownBy(
                        () ->
                                Torture.run(
                                        request("mysql://u:secret@a,b/c"), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one host")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> Torture.run(request("sqlite:"), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names no file");
        assertThatThrownBy(
                        () ->
                                Torture.run(
                                        request("postgresql://u:secret@127.0.0.1:1/x"),
                                        System.out,
                                        System.err))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("cannot connect to postgresql://127.0.0.1:1/x")
                .hasMessageNotContaining("secret");
        TortureRequest wrong =
                new TortureRequest(
                        "sqlite:" + folder.resolve("t.db"),
                        1,
                        Duration.ofSeconds(8),
                        there,
                        false,
                        0);
        assertThatThrownBy(() -> Torture.run(wrong, System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there.db' is no folder");
    }
}

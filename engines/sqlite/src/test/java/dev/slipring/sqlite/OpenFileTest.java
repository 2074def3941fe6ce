// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.PushingProcess;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A file that is taken away while it is open, and one that has two names. */
@Timeout(60)
class OpenFileTest {

    @TempDir private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("x.db");
    }

    /** Who pushes looks at the file now and then. */
    private static void pushesAreRefused(SqliteStore store) {
        assertThatThrownBy(
                        () -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                store.push("r", Given.slot(1, 1));
                            }
                        })
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("was moved, replaced or deleted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-wal", "-shm"})
    void aFileThatIsGoneTakesNothingMore(String part) throws IOException {
        SqliteStore store = Given.ring(file);
        store.push("r", Given.slot(1, 1));
        Files.delete(folder.resolve("x.db" + part));
        pushesAreRefused(store);
        store.close();
    }

    /** What others have pushed since, with a log or an index that only they know, stays. */
    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm"})
    void whoClosesAFileThatIsGoneLeavesTheLog(String part) throws Exception {
        Given.ring(file).close();
        SqliteStore store = Given.store(file);
        store.push("r", Given.slot(1, 1));
        store.transactor().neighboursCommitted();
        if (part.equals("-wal")) {
            // Else nobody could read the file.
            Files.delete(folder.resolve("x.db-shm"));
        }
        Files.delete(folder.resolve("x.db" + part));
        int others = pushedElsewhere();
        isNotOpened();
        store.close();
        isNotOpened();
        // This process would read it by the index that is gone.
        Path copy = folder.resolve("copy.db");
        Files.copy(file, copy);
        Files.copy(folder.resolve("x.db-wal"), folder.resolve("copy.db-wal"));
        try (SqliteStore again = Given.store(copy)) {
            assertThat(Given.pushed(again)).isGreaterThanOrEqualTo(others);
            assertThat(again.survey("r", true).broken()).isEmpty();
        }
    }

    private void isNotOpened() {
        assertThatThrownBy(() -> Given.store(file))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("close what has it open, or end the process");
    }

    /** As long as nobody else has come. */
    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm"})
    void whatWasPushedBeforeStaysInTheFile(String part) throws Exception {
        SqliteStore store = Given.ring(file);
        store.push("r", Given.slot(1, 1));
        store.transactor().neighboursCommitted();
        Files.delete(folder.resolve("x.db" + part));
        isNotOpened();
        store.close();
        try (SqliteStore again = Given.store(file)) {
            assertThat(Given.pushed(again)).isOne();
            assertThat(again.survey("r", true).broken()).isEmpty();
        }
    }

    /**
     * How many messages a process has pushed that is killed then, and so does not close the file.
     */
    private int pushedElsewhere() throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty(
                                        "surefire.test.class.path",
                                        System.getProperty("java.class.path")),
                                PushingProcess.class.getName(),
                                "sqlite:" + file,
                                "r")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        int said = 0;
        try (BufferedReader lines = process.inputReader()) {
            while (lines.readLine() != null) {
                if (++said == 20) {
                    process.toHandle().destroyForcibly();
                }
            }
        }
        process.waitFor();
        return said;
    }

    /** A look that opens a connection of its own would make another file in the place of this. */
    @Test
    void aCheckMakesNoFile() throws IOException {
        SqliteStore store = Given.ring(file);
        Files.delete(file);
        assertThatThrownBy(() -> store.survey("r", true))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("was moved, replaced or deleted");
        store.close();
        assertThat(file).doesNotExist();
    }

    /** Who waits is told, and does not wait on for what nobody can push any more. */
    @Test
    void whoWaitsForAFileThatIsGoneIsTold() throws Exception {
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            Ring ring = slipring.create(RingSpec.named("r"));
            CompletableFuture<Claim> claim =
                    CompletableFuture.supplyAsync(
                            () -> ring.stage().claim(1, Duration.ofSeconds(60)));
            while (!isWatched()) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            Files.delete(file);
            assertThatThrownBy(() -> claim.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreFailed.class)
                    .hasMessageContaining("was moved, replaced or deleted");
            assertThatThrownBy(ring::info).isInstanceOf(StoreFailed.class);
        }
    }

    private static boolean isWatched() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("slipring-sqlite-watch"));
    }

    @Test
    void aLinkThatIsTurnedElsewhereTakesNothingMore() throws Exception {
        Given.ring(file).close();
        Path other = folder.resolve("other.db");
        Given.ring(other).close();
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
        try (SqliteStore store = Given.store(link)) {
            store.push("r", Given.slot(1, 1));
            Files.delete(link);
            Files.createSymbolicLink(link, other);
            pushesAreRefused(store);
        }
    }

    @Test
    void aFileThatIsReplacedTakesNothingMore() throws Exception {
        try (SqliteStore store = Given.ring(file)) {
            store.push("r", Given.slot(1, 1));
            for (String part : new String[] {"", "-wal", "-shm"}) {
                Files.move(folder.resolve("x.db" + part), folder.resolve("y.db" + part));
            }
            try (SqliteStore other = Given.ring(file);
                    Connection connection = Given.jdbc(file)) {
                pushesAreRefused(store);
                connection.setAutoCommit(false);
                assertThatThrownBy(() -> store.join(connection))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("was moved");
                other.push("r", Given.slot(1, 1));
                assertThat(Given.pushed(other)).isOne();
            }
        }
        try (SqliteStore moved = Given.store(folder.resolve("y.db"))) {
            assertThat(Given.pushed(moved)).isPositive();
        }
    }

    @Test
    void aLinkIsFollowed() throws IOException {
        try (SqliteStore store = Given.ring(file)) {
            Path link =
                    Files.createSymbolicLink(
                            Files.createDirectory(folder.resolve("links")).resolve("l.db"), file);
            store.push("r", Given.slot(1, 100_000));
            try (SqliteStore linked = Given.store(link)) {
                assertThat(linked.transactor().file()).isEqualTo(file.toRealPath());
                assertThat(linked.size()).isEqualTo(store.size()).isGreaterThan(100_000);
            }
        }
    }
}

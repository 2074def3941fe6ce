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

/** A file that is moved or deleted while it is open, and one that has two names. */
@Timeout(60)
class OpenFileTest {

    @TempDir private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("x.db");
    }

    /**
     * Pushes until one is refused: a push looks only now and then whether the file is still there.
     */
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

    /**
     * What others have pushed since, into a log or with an index that only they have, is not lost.
     */
    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm"})
    void whoClosesAFileThatIsGoneLeavesTheLog(String part) throws Exception {
        Given.ring(file).close();
        SqliteStore store = Given.store(file);
        store.push("r", Given.slot(1, 1));
        store.transactor().neighboursCommitted();
        if (part.equals("-wal")) {
            // With the old index, no process could read the file.
            Files.delete(folder.resolve("x.db-shm"));
        }
        Files.delete(folder.resolve("x.db" + part));
        int others = pushedElsewhere();
        isNotOpened();
        store.close();
        isNotOpened();
        // A copy, since in this process SQLite would read the file with the index that is gone.
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

    /** That holds as long as no other process has opened the file. */
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
     * Lets another process push until it is killed, so that it does not close the file; returns how
     * many messages it pushed.
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

    /**
     * A check makes no file: it opens a connection of its own, which could create a new file in the
     * place of the old one.
     */
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

    /**
     * A claim that waits gets an error, and does not wait on for messages that nobody can push any
     * more.
     */
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

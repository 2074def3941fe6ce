// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Change;
import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

class OpeningTest {

    @TempDir Path folder;

    @Test
    void isFoundAndAcceptsItsUrls() {
        assertThat(ServiceLoader.load(Engine.class)).anyMatch(SqliteEngine.class::isInstance);
        SqliteEngine engine = new SqliteEngine();
        assertThat(engine.accepts("sqlite:x")).isTrue();
        assertThat(engine.accepts("jdbc:sqlite:x")).isTrue();
        assertThat(engine.accepts("jdbc:postgresql:x")).isFalse();
    }

    @Test
    void keepsARingFromOneOpeningToTheNext() {
        Path file = folder.resolve("a file.db");
        try (Store store = Given.ring(file)) {
            store.push("r", Given.slot(3, 10));
            assertThatThrownBy(() -> store.shape("r").orElseThrow().paused().add("x"))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
        try (Store store =
                Given.open(
                        "jdbc:sqlite:" + file + "?busy=1&done=synced" + "&synchronous=normal",
                        false)) {
            assertThat(Given.pushed(store)).isEqualTo(3);
            assertThat(store.survey("r", true).broken()).isEmpty();
            assertThat(store.survey("r", true).storeBytes()).isGreaterThan(4096);
        }
    }

    /** Java 24 and newer can be told to refuse it ({@code --illegal-native-access=deny}). */
    @Test
    void aLibraryThatJavaRefusesIsToldAsSuch() {
        Exception refused = new Exception(new IllegalCallerException("Illegal native access"));
        assertThat(SqliteFile.notLoaded(refused))
                .contains("--enable-native-access=ALL-UNNAMED")
                .doesNotContain("tmpdir");
    }

    /** A file can be opened through a link: SQLite keeps the log beside the file itself. */
    @Test
    void aLinkedFileTakesPushes() throws Exception {
        Path strange = Files.createDirectory(folder.resolve("what? 100%25 #1 é;x=1&y"));
        Path file = Files.createFile(strange.resolve("test.db"));
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
        try (Store store = Given.ring(link)) {
            store.push("r", Given.slot(1, 10));
            assertThat(Given.pushed(store)).isEqualTo(1);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(strange, link);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3.7.0, false", "3.40.1, false", "3.44.5, false", "3.44.6, true", "3.46.1, false",
        "3.50.6, false", "3.50.7, true", "3.51.2, false", "3.51.3, true", "3.54.1, true",
        "4.0.0, true",
    })
    void aLibraryThatMayDamageTheFileIsRefused(String version, boolean safe) {
        assertThat(SqliteVersion.isSafe(version)).isEqualTo(safe);
    }

    @ParameterizedTest
    @ValueSource(strings = {"journal_mode=DELETE", "locking_mode=EXCLUSIVE"})
    void aDataSourceThatLeavesRoomForOneConnection(String setting) {
        Path file = folder.resolve("test.db");
        Given.ring(file).close();
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file + "?" + setting);
        Opening opening = new Opening(null, source, InstantSource.system(), true, false);
        assertThatThrownBy(() -> new SqliteEngine().open(opening))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("locking_mode");
    }

    /** A relative name does not show the folders above it, whose names may be anything. */
    @Test
    void takesEveryNameOfAFolder() throws Exception {
        Path strange = Files.createDirectory(folder.resolve("what? 100%25 #1 é;x=1&y"));
        Path file = strange.resolve("test.db");
        try (Connection connection = SqliteFile.source(file).connect();
                Statements statements = new Statements(connection)) {
            statements.run("CREATE TABLE t (x)");
            assertThat(SqliteFile.isSame(SqliteFile.of(statements), file)).isTrue();
        }
        assertThat(file).isNotEmptyFile();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(strange);
        }
    }

    @Test
    void refusesWhatItCannotOpen() throws Exception {
        Path text = Files.writeString(folder.resolve("letter.txt"), "Dear reader, ".repeat(1000));
        refuses(IllegalArgumentException.class, "sqlite:", "names no file");
        refuses(IllegalArgumentException.class, "sqlite:?busy=1", "names no file");
        refuses(IllegalArgumentException.class, "sqlite::memory:", "use 'memory:'");
        refuses(
                IllegalArgumentException.class,
                "sqlite:file:x?mode=memory",
                "not the name of a file");
        refuses(StoreFailed.class, "sqlite:" + folder, "is a folder");
        refuses(StoreFailed.class, "sqlite:" + folder.resolve("no/where.db"), "does not exist");
        refuses(StoreFailed.class, "sqlite:" + text, "is not a SQLite database");
        refuses(StoreFailed.class, "sqlite:" + text.resolve("x.db"), text + " is no folder");
        if (Files.exists(Path.of("/dev/null"))) {
            refuses(StoreFailed.class, "sqlite:/dev/null", "is a device");
        }
        Path none = folder.resolve("none.db");
        Options existing = Options.url("sqlite:" + none).existingOnly();
        assertThatThrownBy(() -> Slipring.open(existing)).hasMessageContaining("there is no file");
        assertThat(none).doesNotExist();
    }

    @Test
    void saysWhyAFileCannotBeOpened() throws Exception {
        Path nowhere = folder.resolve("nowhere.db");
        Files.createSymbolicLink(nowhere, folder.resolve("no/x.db"));
        refuses(StoreFailed.class, "sqlite:" + nowhere, "a symbolic link that leads nowhere");
        Path round = folder.resolve("round.db");
        Files.createSymbolicLink(round, round);
        refuses(StoreFailed.class, "sqlite:" + round, "a symbolic link that leads nowhere");
        refuses(StoreFailed.class, "sqlite:" + folder.resolve("x".repeat(250)), "is too long");
        Path deep = folder;
        for (int i = 0; i < 3; i++) {
            deep = Files.createDirectory(deep.resolve("d".repeat(200)));
        }
        refuses(StoreFailed.class, "sqlite:" + deep.resolve("x.db"), "is too long");
        // This is how Java reads a name whose bytes are no characters of the locale.
        refuses(StoreFailed.class, "sqlite:" + folder.resolve("\uFFFD.db"), "not in the encoding");
    }

    /** A file of another application gets no tables before a ring is made in it. */
    @Test
    void leavesAFileWithoutRingsAsItIs() throws Exception {
        Path file = folder.resolve("theirs.db");
        try (Connection theirs = Given.jdbc(file);
                Statement statement = theirs.createStatement()) {
            statement.execute("CREATE TABLE letter (text TEXT)");
        }
        byte[] before = Files.readAllBytes(file);
        Options existing = Options.url("sqlite:" + file).existingOnly();
        assertThatThrownBy(() -> Slipring.open(existing))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("no schema of Slipring in " + file);
        try (Slipring slipring = Slipring.open(existing.withoutMigration())) {
            assertThat(slipring.schema().installed()).isZero();
        }
        assertThat(file).hasBinaryContent(before);
    }

    private static void refuses(Class<?> error, String url, String words) {
        assertThatThrownBy(() -> Given.open(url, true).close())
                .isInstanceOf(error)
                .hasMessageContaining(words);
    }

    @Test
    void refusesOptionsThatItDoesNotKnow() {
        String url = "sqlite:" + folder.resolve("x");
        for (String option : List.of("cache=shared", "done=maybe", "busy=long", "synchronous")) {
            assertThatThrownBy(() -> Given.open(url + "?" + option, true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(option.replaceAll("=.*", ""))
                    .hasMessageContaining("busy");
        }
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void usesADataSource() throws Exception {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + folder.resolve("source.db"));
        Opening opening = new Opening(null, source, InstantSource.system(), true, false);
        try (Store store = new SqliteEngine().open(opening)) {
            store.change("r", new Change.Create(RingSpec.named("r")));
            assertThat(store.rings()).containsExactly("r");
        }
        source.setUrl("jdbc:sqlite::memory:");
        assertThatThrownBy(() -> new SqliteEngine().open(opening))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("in memory");
    }

    @Test
    void refusesEverythingOnceClosed() throws Exception {
        Store store = Given.ring(folder.resolve("x.db"));
        store.close();
        store.close();
        // Waits until it is time to look whether the file, whose log is gone, is still there.
        TimeUnit.NANOSECONDS.sleep(OpenFile.LOOK_NANOS);
        for (Runnable call :
                new Runnable[] {
                    () -> store.push("r", Given.slot(1, 1)),
                    store::rings,
                    store::schema,
                    () -> store.survey("r", true),
                    () -> store.claim("r", Given.claim(1))
                }) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(StoreFailed.class)
                    .hasMessage("the store is closed");
        }
        assertThat(folder.resolve("x.db-wal")).doesNotExist();
    }

    @Test
    void livesBesideTablesOfItsUser() throws Exception {
        Path file = folder.resolve("shared.db");
        try (Connection connection = Given.jdbc(file)) {
            Given.run(connection, "CREATE TABLE mine (x)");
            try (Store store = Given.ring(file)) {
                Given.run(connection, "INSERT INTO mine VALUES (1)");
                store.push("r", Given.slot(1, 1));
                Given.run(connection, "CREATE INDEX mine_x ON mine (x)");
                store.push("r", Given.slot(1, 1));
                assertThat(Given.pushed(store)).isEqualTo(2);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every statement that SQL Server can be sent, and its whole schema, are checked by Microsoft's own
 * parser and model of a database. The statements are recorded while the kit and the breaks run on
 * MariaDB with SQL Server in its shadow. Whether these tests pass does not matter here.
 */
class TsqlTest {

    private static final Path ROOT = root();
    private static final Path FOLDER = Path.of("target", "tsql").toAbsolutePath();
    private static final Path SCHEMA =
            Path.of("src/main/resources/dev/slipring/jdbc/sqlserver/001").toAbsolutePath();
    private static final Path SOURCES = Path.of("src/main/java/dev/slipring/jdbc");

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("ARCHITECTURE.md"))) {
            root = root.getParent();
        }
        return root;
    }

    /** The result of the check. */
    private record Verdict(int exit, String words) {}

    @BeforeAll
    static void record() throws Exception {
        copy(SCHEMA, FOLDER.resolve("schema"));
        check(FOLDER, false);
        ServerFiles.MARIADB_11.whyNot().ifPresent(why -> Assumptions.abort("MariaDB 11: " + why));
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(
                                        selectClass(ShadowKit.class),
                                        selectClass(ShadowProducers.class),
                                        selectClass(ShadowBreaks.class))
                                // The same as in the build, whose settings are not passed on here.
                                .configurationParameter(
                                        "junit.jupiter.execution.timeout.testable.method.default",
                                        "15 m")
                                .build());
        Recorded.write(FOLDER.resolve("statements"));
    }

    /** Runs the check. If it cannot run here, the test is skipped, and says why. */
    private static Verdict check(Path folder, boolean inMemory) throws Exception {
        String jar =
                TsqlTest.class.getClassLoader().getResource("postgres-linux-x86_64.txz").getPath();
        Path said = Files.createTempFile(Files.createDirectories(FOLDER), "said", ".txt");
        List<String> command = new ArrayList<>();
        command.add(ROOT.resolve("proof/tsql/check").toString());
        command.add(jar.substring("file:".length(), jar.indexOf('!')));
        List<String> scripts = new ArrayList<>(SqlServerDialect.files(inMemory));
        scripts.add("kit.sql");
        for (String script : scripts) {
            Path file = folder.resolve("schema").resolve(script);
            if (Files.exists(file)) {
                command.add(file.toString());
            }
        }
        command.addAll(List.of("--", folder.resolve("statements").toString()));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        int exit = process.waitFor();
        String words = Files.readString(said);
        Files.delete(said);
        Assumptions.assumeTrue(exit != 3, words);
        return new Verdict(exit, words);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(
                        file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    @Test
    void everythingIsReadAndEveryNameIsThere() throws Exception {
        List<String> ofKit = new ArrayList<>(SqlServerKit.making("kit", true));
        ofKit.addAll(SqlServerKit.dropping("kit"));
        Files.writeString(FOLDER.resolve("schema/kit.sql"), String.join("\nGO\n", ofKit));
        for (boolean inMemory : new boolean[] {false, true}) {
            Verdict verdict = check(FOLDER, inMemory);
            assertThat(verdict.words()).as("in memory: " + inMemory).contains(" 0 refusals");
            assertThat(verdict.exit()).as("in memory: " + inMemory).isZero();
        }
    }

    /**
     * The check refuses names that do not exist, in the schema or in statements, and hints that do
     * not exist.
     */
    @Test
    void whatIsWrongIsRefused() throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve("wrong"));
        copy(SCHEMA, folder.resolve("schema"));
        spoil(folder, "slot.sql", "SET turn = @turn", "SET tern = @turn");
        Path statements = Files.createDirectories(folder.resolve("statements"));
        Files.writeString(
                statements.resolve("1.sql"),
                "CREATE PROCEDURE dbo.statement_1 AS SELECT head FROM slipring_lain");
        Files.writeString(
                statements.resolve("2.sql"),
                "CREATE PROCEDURE dbo.statement_2 AS SELECT head FROM slipring_lane WITH (UPDLOK)");
        Files.writeString(
                statements.resolve("3.sql"),
                "CREATE PROCEDURE dbo.statement_3 AS EXECUTE dbo.slipring_make_cells @rink = 1");
        Verdict verdict = check(folder, false);
        assertThat(verdict.exit()).isEqualTo(1);
        assertThat(verdict.words())
                .contains("[slipring_slot].[tern]")
                .contains("[slipring_lain]")
                .contains("UPDLOK")
                .contains("[@rink]");
    }

    private static void spoil(Path folder, String file, String text, String wrong)
            throws IOException {
        Path script = folder.resolve("schema").resolve(file);
        String right = Files.readString(script);
        assertThat(right).contains(text);
        Files.writeString(script, right.replace(text, wrong));
    }

    /** So is what only a server would refuse, or would do in another way than is meant. */
    @Test
    void whatAServerWouldDoIsRefused() throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve("unwanted"));
        copy(SCHEMA, folder.resolve("schema"));
        spoil(folder, "slot-memory.sql", ", ANSI_PADDING", "");
        spoil(folder, "table.sql", "ALTER INDEX ALL ON dbo.slipring_gate SET", "-- ");
        spoil(folder, "table.sql", "ALTER TABLE dbo.slipring_lane SET", "-- ");
        spoil(folder, "push.sql", " OR @@OPTIONS & 2 = 2", "");
        Path statements = Files.createDirectories(folder.resolve("statements"));
        List<String> wrong =
                List.of(
                        "SELECT head FROM slipring_lane WITH (ROWLOCK, UPDLOCK, READPAST)",
                        "SELECT gate FROM slipring_gate WITH (UPDLOCK, READCOMMITTEDLOCK)",
                        "SELECT id FROM slipring_ring WITH (ROWLOCK, HOLDLOCK)",
                        "SELECT turn FROM slipring_slot WITH (ROWLOCK, UPDLOCK)",
                        "SELECT Head FROM slipring_lane");
        for (int i = 0; i < wrong.size(); i++) {
            Files.writeString(
                    statements.resolve(i + ".sql"),
                    "CREATE PROCEDURE dbo.statement_" + i + " AS " + wrong.get(i));
        }
        assertThat(check(folder, true).words())
                .contains("slot-memory.sql: it keeps settings that nobody has made: ANSI_PADDING")
                .contains("slipring_gate: a lock on many rows may become one on a page")
                .contains("slipring_lane: a lock on many rows may become one on a table")
                .contains("push.sql: with IMPLICIT_TRANSACTIONS its transaction is within another")
                .contains("slipring_lane: READPAST over versions of rows is refused")
                .contains("slipring_gate: a lock on a page is not skipped")
                .contains("slipring_ring: hints that nothing here needs: HOLDLOCK")
                .contains("slipring_slot: a table in memory takes no hints of locks")
                .contains("[slipring_lane].[Head]");
    }

    /**
     * What a lock guards already is read without another. UPDLOCK goes by the caller's own
     * isolation level, whatever else is said, and at SERIALIZABLE keeps others from the gaps beside
     * the rows, also in other lanes and rings. So rows that may not be there are never read with
     * it.
     */
    @Test
    void aCallerKeepsNobodyFromTheGapsBesideMessagesSetAside() {
        assertThat(Recorded.all())
                .anyMatch(sql -> sql.contains("FROM slipring_aside WITH (ROWLOCK, READCOMMITTED"))
                .noneMatch(sql -> sql.matches("(?s).*FROM slipring_aside\\w* WITH .*UPDLOCK.*"));
    }

    /** The row of the ring is read as it is now, so the snapshot has to be asked too. */
    @Test
    void aCallerIsAskedWhatHeDoesNotSee() {
        assertThat(Recorded.all().stream().filter(sql -> sql.contains("REPEATABLEREAD) WHERE id")))
                .isNotEmpty()
                .allMatch(sql -> sql.contains("a snapshot from before the ring was made"))
                .allMatch(sql -> sql.contains("a TEXTSIZE that cuts messages off"));
    }

    /** Each statement whose beginning is in the sources was recorded in some form. */
    @Test
    void nothingIsLeftOut() throws IOException {
        Pattern begins = Pattern.compile("\"((?:SELECT|INSERT|UPDATE|DELETE|EXECUTE) [^\"]*)\"");
        List<String> missing = new ArrayList<>();
        List<Path> sources;
        try (Stream<Path> all = Files.list(SOURCES)) {
            sources =
                    all.filter(path -> !path.getFileName().toString().startsWith("MySql")).toList();
        }
        for (Path source : sources) {
            Matcher text = begins.matcher(Files.readString(source));
            while (text.find()) {
                String start = text.group(1).split("\\?")[0];
                boolean known = Recorded.all().stream().anyMatch(sql -> sql.contains(start));
                if (!known) {
                    missing.add(source.getFileName() + ": " + text.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(Recorded.all()).hasSizeGreaterThan(60);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;

/**
 * The script {@code slipring}, in a checkout with a stand-in for Java and one for Maven, which note
 * how they are called.
 */
class LauncherTest {

    /** Writes down its arguments, and which files its descriptors are. */
    private static final String JAVA =
            """
            #!/bin/sh
            if [ "$1" = -XshowSettings:properties ]; then
                echo "    java.specification.version = $SPECIFICATION" >&2
                exit
            fi
            files=$(for fd in 0 1 2; do readlink /proc/$$/fd/$fd || echo "closed $fd"; done)
            {
                for argument; do echo "$argument"; done
                echo "LC_ALL=$LC_ALL"
                echo "$files"
            } > "$SAID"
            exit 7
            """;

    private static final String MVN =
            """
            #!/bin/sh
            echo "words of the build"
            [ "$MAVEN" != slow ] || sleep 1
            [ "$MAVEN" != fails ] || exit 1
            touch tools/cli/target/slipring-cli.jar
            """;

    @TempDir Path temporary;

    private Path root;
    private Path said;

    @BeforeEach
    void makeCheckout() throws IOException {
        root = Files.createDirectory(temporary.resolve("a checkout"));
        said = temporary.resolve("said");
        executable(root.resolve("slipring"), Files.readString(launcher()));
        executable(temporary.resolve("bin/java"), JAVA);
        executable(temporary.resolve("bin/mvn"), MVN);
        Files.createDirectories(root.resolve("core/src/main"));
        Files.createDirectories(root.resolve("tools/cli/target"));
        Files.createFile(root.resolve("core/pom.xml"));
        Files.createFile(root.resolve("pom.xml"));
    }

    private static Path launcher() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("slipring"))) {
            folder = folder.getParent();
        }
        return folder.resolve("slipring");
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Leaves what a build leaves, with a time in the future, so that no source is newer. */
    private void build() throws IOException {
        Path built = root.resolve("tools/cli/target/built");
        Files.createFile(root.resolve("tools/cli/target/slipring-cli.jar"));
        Files.createFile(built);
        Files.setLastModifiedTime(built, FileTime.from(Instant.now().plusSeconds(60)));
    }

    /** Runs a line of a shell in which {@code $SLIPRING} is the script. */
    private int shell(String line, String... variables) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", line);
        builder.environment().remove("JAVA_HOME");
        builder.environment().remove("SLIPRING_NO_BUILD");
        builder.environment().remove("SLIPRING_JAVA_OPTS");
        builder.environment().put("PATH", temporary.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("SLIPRING", root.resolve("slipring").toString());
        builder.environment().put("SAID", said.toString());
        builder.environment().put("SPECIFICATION", "17");
        builder.environment().put("ROOT", root.toString());
        for (String variable : variables) {
            String[] both = variable.split("=", 2);
            builder.environment().put(both[0], both[1]);
        }
        return builder.redirectOutput(temporary.resolve("out").toFile())
                .redirectError(temporary.resolve("err").toFile())
                .start()
                .waitFor();
    }

    private String read(String file) throws IOException {
        return Files.readString(temporary.resolve(file));
    }

    private List<String> said() throws IOException {
        return Files.readAllLines(said);
    }

    @Test
    void argumentsAndTheExitCodePassThrough() throws Exception {
        build();
        assertThat(shell("cd /; exec \"$SLIPRING\" push 'a b' '' --max '*'")).isEqualTo(7);
        assertThat(said()).containsSubsequence("push", "a b", "", "--max", "*");
        assertThat(said()).contains("-Xmx256m", "-Dslipring.terminals=");
        assertThat(read("out") + read("err")).isEmpty();
    }

    @Test
    void aLinkToItFindsTheCheckout() throws Exception {
        build();
        Path link = temporary.resolve("bin/sl");
        Files.createSymbolicLink(link, root.resolve("slipring"));
        assertThat(shell("cd /; exec sl info", "SLIPRING_JAVA_OPTS=-Xmx1g -Da=b")).isEqualTo(7);
        assertThat(said()).contains("-Xmx1g", "-Da=b");
        assertThat(String.join("\n", said())).contains(root + "/tools/cli/target/slipring-cli.jar");
    }

    /** If CDPATH is set, the cd of a shell looks there first, and prints where it went. */
    @Test
    void aCheckoutOfTheSameNameElsewhereIsNotTaken() throws Exception {
        build();
        Files.createDirectories(temporary.resolve("elsewhere/a checkout"));
        String line = "cd \"$ROOT/..\"; exec bash 'a checkout/slipring' info";
        for (Path searched : List.of(temporary.resolve("elsewhere"), temporary)) {
            assertThat(shell(line, "CDPATH=" + searched, "MAVEN=fails")).isEqualTo(7);
        }
        assertThat(String.join("\n", said())).contains(root + "/tools/cli/target/slipring-cli.jar");
    }

    @Test
    void anotherShellGivesItToBash() throws Exception {
        build();
        assertThat(shell("exec sh \"$SLIPRING\" push 'a b'")).isEqualTo(7);
        assertThat(said()).containsSubsequence("push", "a b");
    }

    /** In a class path, ':' separates two places, and '!/' an archive and what is in it. */
    @ParameterizedTest
    @ValueSource(strings = {"a:b", "a!", "a!/b"})
    void aPathInWhichJavaFindsNothingIsRefused(String name) throws Exception {
        Path folder = temporary.resolve(name);
        executable(folder.resolve("slipring"), Files.readString(launcher()));
        assertThat(shell("exec \"$THERE\" info", "THERE=" + folder.resolve("slipring")))
                .isEqualTo(1);
        assertThat(read("err")).startsWith("slipring: Java finds nothing in " + folder);
    }

    /**
     * The script names no garbage collector if the user names one: Java does not start with two.
     */
    @ParameterizedTest
    @ValueSource(strings = {"SLIPRING_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"})
    void aCollectorThatIsNamedIsTheOnlyOne(String variable) throws Exception {
        build();
        assertThat(shell("exec \"$SLIPRING\" info", variable + "=-XX:+UseG1GC")).isEqualTo(7);
        assertThat(said()).doesNotContain("-XX:+UseSerialGC");
        assertThat(shell("exec \"$SLIPRING\" info", variable + "=-Xmx1g")).isEqualTo(7);
        assertThat(said()).contains("-XX:+UseSerialGC");
    }

    /** With a locale that is not installed, Java knows only ASCII, even if the name says UTF-8. */
    @ParameterizedTest
    @ValueSource(strings = {"xx_XX.UTF-8", "POSIX", ""})
    void namesOfFilesAreReadInALocaleThatIsThere(String locale) throws Exception {
        build();
        assertThat(shell("exec \"$SLIPRING\" info", "LC_ALL=" + locale, "LANG=" + locale))
                .isEqualTo(7);
        assertThat(said()).contains("LC_ALL=C.UTF-8");
    }

    /** The tools here have no flock, as on some machines. */
    @Test
    void twoFirstStartsBuildOnce() throws Exception {
        Path tools = temporary.resolve("tools");
        for (String tool :
                "bash sh env dirname readlink find mkdir touch mv cat sed sleep perl".split(" ")) {
            assertThat(shell("command -v " + tool)).as(tool).isZero();
            executable(tools.resolve(tool), "#!/bin/sh\nexec " + read("out").strip() + " \"$@\"\n");
        }
        String path = "PATH=" + temporary.resolve("bin") + ":" + tools;
        String two = "\"$SLIPRING\" info & \"$SLIPRING\" info; code=$?; wait; exit $code";
        assertThat(shell(two, path, "MAVEN=slow")).isEqualTo(7);
        assertThat(read("err")).containsOnlyOnce("words of the build");
    }

    /**
     * Java opens its own files under the numbers of closed descriptors, and a command would read or
     * write those files.
     */
    @Test
    void closedDescriptorsAreNoFilesOfJavas() throws Exception {
        build();
        assertThat(shell("exec \"$SLIPRING\" push r <&- >&- 2>&-")).isEqualTo(7);
        assertThat(said()).endsWith("/dev/null", "/dev/null", "/dev/null");
    }

    @Test
    void whatIsMissingIsBuiltOnceAndItsWordsAreNoData() throws Exception {
        assertThat(shell("exec \"$SLIPRING\" info", "MAVEN=works")).isEqualTo(7);
        assertThat(read("out")).isEmpty();
        assertThat(read("err")).contains("building what is missing", "words of the build");
        assertThat(shell("exec \"$SLIPRING\" info", "MAVEN=works")).isEqualTo(7);
        assertThat(read("err")).isEmpty();
        Files.setLastModifiedTime(
                root.resolve("core/pom.xml"), FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(shell("exec \"$SLIPRING\" info", "MAVEN=works", "SLIPRING_NO_BUILD=1"))
                .isEqualTo(7);
        assertThat(read("err")).isEmpty();
        assertThat(shell("exec \"$SLIPRING\" info", "MAVEN=works")).isEqualTo(7);
        assertThat(read("err")).contains("words of the build");
    }

    /**
     * A build by Maven alone leaves a jar, but not the file by which the script knows when it has
     * built.
     */
    @Test
    void whatMavenBuiltRunsWhereNothingIsToBeBuilt() throws Exception {
        Files.createFile(root.resolve("tools/cli/target/slipring-cli.jar"));
        assertThat(shell("exec \"$SLIPRING\" info", "MAVEN=fails", "SLIPRING_NO_BUILD=1"))
                .isEqualTo(7);
        assertThat(read("err")).isEmpty();
    }

    @Test
    void aBuildThatFailsRunsNothing() throws Exception {
        assertThat(shell("exec \"$SLIPRING\" info", "MAVEN=fails")).isEqualTo(1);
        assertThat(read("err")).contains("slipring: the build failed");
        assertThat(said).doesNotExist();
        assertThat(shell("exec \"$SLIPRING\" info", "MAVEN=works")).isEqualTo(7);
    }

    @Test
    void aJavaThatIsTooOldOrMissingIsSaid() throws Exception {
        build();
        assertThat(shell("exec \"$SLIPRING\" info", "SPECIFICATION=1.8")).isEqualTo(1);
        assertThat(read("err")).contains("is Java 8; install a JDK 17 or newer");
        assertThat(shell("exec \"$SLIPRING\" info", "JAVA_HOME=/nowhere")).isEqualTo(1);
        assertThat(read("err")).startsWith("slipring: there is no /nowhere/bin/java");
        assertThat(said).doesNotExist();
    }
}

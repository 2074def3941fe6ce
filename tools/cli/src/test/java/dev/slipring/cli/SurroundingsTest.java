// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Machines that lack something: a place to unpack SQLite's library, or colours. */
class SurroundingsTest {

    @TempDir Path folder;

    private Path none;
    private String url;

    @BeforeEach
    void name() {
        none = folder.resolve("none");
        url = new Shell(folder).url();
    }

    private static String end(ProcessBuilder command, int code) throws Exception {
        Process process = command.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(code);
        return said;
    }

    @Test
    void aLibraryThatCannotBeUnpacked() throws Exception {
        assertThat(end(Shell.apart("-Dorg.sqlite.tmpdir=" + none, url, "create", "r"), 1))
                .contains("slipring: SQLite's library cannot be unpacked into " + none)
                .contains("-Dorg.sqlite.tmpdir=FOLDER");
    }

    /** For example a driver without libraries, which is published too. */
    @Test
    void aMachineWithoutALibrary() throws Exception {
        assertThat(end(Shell.apart("-Dos.arch=none", url, "create", "r"), 1))
                .contains("slipring: the driver on the class path has no library")
                .contains("os.arch=none")
                .doesNotContain("tmpdir");
    }

    /** The process that the demo kills unpacks it there, too. */
    @Test
    void theDemoUnpacksItWhereItIsTold() throws Exception {
        ProcessBuilder demo = Shell.apart("-Dorg.sqlite.tmpdir=" + folder, url, "demo");
        demo.environment().put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + none);
        assertThat(end(demo, 0)).contains("kill -9", "lost: 0");
    }

    @Test
    void aFolderThatIsNotThereIsNamed() throws Exception {
        ProcessBuilder demo = Shell.apart("-Djava.io.tmpdir=" + none, url, "demo");
        demo.command().removeAll(List.of("--url", url));
        demo.environment().remove("SLIPRING_URL");
        assertThat(end(demo, 1)).contains("slipring: cannot read or write: " + none, "not there");
    }

    @Test
    void whatHasRunOutIsNamed() {
        assertThat(told(new OutOfMemoryError("unable to create native thread: possibly out of")))
                .contains("no more threads", "ulimit -u");
        assertThat(told(new OutOfMemoryError("Java heap space"))).contains("-Xmx1g", "heap space");
    }

    private static String told(Throwable error) {
        ByteArrayOutputStream words = new ByteArrayOutputStream();
        PrintStream err = new PrintStream(words, true, StandardCharsets.UTF_8);
        int code = new Failures(new Streams(System.in, System.out, err, "")).report(error);
        assertThat(code).isEqualTo(Failures.FAILED);
        return words.toString(StandardCharsets.UTF_8);
    }

    @Test
    void coloursAreForTerminalsThatHaveThem() {
        assertThat(Streams.isColourful(Map.of("TERM", "xterm"))).isTrue();
        assertThat(Streams.isColourful(Map.of("TERM", "xterm", "NO_COLOR", ""))).isTrue();
        assertThat(Streams.isColourful(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isFalse();
        assertThat(Streams.isColourful(Map.of("TERM", "dumb"))).isFalse();
        assertThat(Streams.isColourful(Map.of())).isFalse();
    }
}

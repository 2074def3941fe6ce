// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Which requests are allowed. */
class RequestTest {

    @TempDir private Path folder;

    @Test
    void argumentsBecomeARequest() {
        BenchRequest request =
                BenchMain.parse(
                        List.of(
                                "cycle",
                                "--seconds",
                                "0.5",
                                "--rounds",
                                "3",
                                "--json",
                                "--url",
                                "sqlite:/somewhere/x.db?done=synced",
                                "threads"));
        assertThat(request.workloads()).containsExactly("cycle", "threads");
        assertThat(request.window()).isEqualTo(Duration.ofMillis(500));
        assertThat(request.rounds()).isEqualTo(3);
        assertThat(request.json()).isTrue();
        assertThat(request.command())
                .isEqualTo(
                        "slipring bench cycle threads"
                                + " --url sqlite:x.db?done=synced --seconds 0.5 --rounds 3");
    }

    /** The command line is kept with the results and shown, so it must have no password. */
    @Test
    void aCommandHasNoPassword() {
        String options = "?user=me&x=1&password=a's3cret";
        for (String url : List.of("mariadb://h:3306/db", "postgresql://me:s3cret@h/db")) {
            assertThat(BenchRequest.DEFAULT.url(url + options).command())
                    .contains(":db?user=me&x=1&password=***")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void aFileThatIsThereIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("mine.db"));
        refused(BenchRequest.DEFAULT.url("sqlite:" + file), "'" + file + "' is there already");
        assertThat(file).isEmptyFile();
    }

    /** A path for results that is no folder is refused before anything is measured. */
    @Test
    void aFolderForResultsThatIsNoneIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("mine"));
        BenchRequest request = BenchRequest.DEFAULT.url("memory:").workloads(List.of("idle"));
        refused(request.results(file), "'" + file + "' is no folder");
        refused(request.results(file.resolve("in")), "is no folder");
        assertThatThrownBy(
                        () ->
                                Bench.run(
                                        request.results(Path.of("/proc/nowhere")),
                                        System.out,
                                        System.err))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void nonsenseIsRefused() {
        refused(BenchRequest.DEFAULT.url("sqlite:" + folder.resolve("no/x.db")), "no folder");
        refused(BenchRequest.DEFAULT.url("sqlite:" + folder.resolve("x.db?busy=x")), "busy");
        refused(BenchRequest.DEFAULT.url("kafka://broker"), "URLs look like");
        refused(
                BenchRequest.DEFAULT.url("memory:").workloads(List.of("cicle")),
                "no workload 'cicle'; the workloads are: cycle, threads");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BenchRequest.DEFAULT.rounds(0, Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BenchRequest.DEFAULT.rounds(1, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> BenchMain.parse(List.of("--rounds")));
    }

    private static void refused(BenchRequest request, String words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bench.run(request, System.out, System.err))
                .withMessageContaining(words);
    }
}

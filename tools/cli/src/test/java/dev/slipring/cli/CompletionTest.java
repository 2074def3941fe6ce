// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a bash that has read the completion script offers for half a line. */
class CompletionTest {

    /** Calls what bash would call at the end of a line; the words of the line are the arguments. */
    private static final String COMPLETE =
            """
            source "$SCRIPT"
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _complete_slipring 2>/dev/null
            printf '%s\\n' "${COMPREPLY[@]}"
            """;

    @TempDir Path folder;

    @BeforeEach
    void printScript() throws IOException {
        Files.write(folder.resolve("script"), new Shell(folder).run("completion").out());
    }

    @Test
    void commandsOptionsAndWorkloads() throws Exception {
        assertThat(complete("slipring", "cr")).containsExactly("create");
        assertThat(complete("slipring", "stage", "r", "re")).contains("rewind", "resume");
        assertThat(complete("slipring", "bench", "--sec")).containsExactly("--seconds");
        assertThat(complete("slipring", "bench", "cy")).containsExactly("cycle");
        assertThat(complete("slipring", "bench", "cycle", "ba")).containsExactly("backlog");
        assertThat(complete("slipring", "bench", ""))
                .contains("transactional", "sources", "ring", "ring/full")
                .noneMatch(name -> name.contains("TOPOLOGY"));
    }

    private List<String> complete(String... words) throws Exception {
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", COMPLETE, "bash");
        bash.command().addAll(List.of(words));
        bash.environment().put("SCRIPT", folder.resolve("script").toString());
        Process process = bash.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return out.lines().filter(line -> !line.isEmpty()).toList();
    }
}

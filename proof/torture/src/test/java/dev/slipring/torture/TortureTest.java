// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

class TortureTest {

    @TempDir Path folder;

    private static TortureRequest request(String url) {
        return new TortureRequest(url, 1, Duration.ofSeconds(8), null, false);
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

    @Test
    void onlyAFreePlaceIsTaken() throws Exception {
        Path there = Files.createFile(folder.resolve("there.db"));
        assertThatThrownBy(() -> Torture.run(request("sqlite:" + there), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("already");
        assertThatThrownBy(() -> Torture.run(request("memory:"), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("processes share");
        assertThatThrownBy(() -> Torture.run(request("sqlite:"), System.out, System.err))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names no file");
    }
}

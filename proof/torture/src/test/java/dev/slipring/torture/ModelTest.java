// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The model of the protocol holds, and the checker sees every mutation of it. */
class ModelTest {

    @Test
    void theModelHoldsAndItsMutationsDoNot() throws Exception {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("ARCHITECTURE.md"))) {
            root = root.getParent();
        }
        Process check =
                new ProcessBuilder(root.resolve("proof/model/check").toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(said).isZero();
        assumeFalse(said.contains("skipped"), said);
        assertThat(said).contains("ring holds in", "segments holds in");
        assertThat(said.lines().filter(line -> line.contains("is seen"))).hasSize(8 + 7);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The README shows only Java that a test runs. */
class ReadmeTest {

    @Test
    void itsJavaIsRunByATest() throws IOException {
        List<String> tested =
                Files.readAllLines(
                                Checkout.ROOT.resolve(
                                        "engines/sqlite/src/test/java/dev/slipring/sqlite/"
                                                + "ReadmeTest.java"))
                        .stream()
                        .map(String::strip)
                        .toList();
        boolean java = false;
        int shown = 0;
        for (String line : Files.readAllLines(Checkout.ROOT.resolve("README.md"))) {
            if (line.startsWith("```")) {
                java = line.equals("```java");
            } else if (java && !line.isBlank()) {
                assertThat(tested).contains(line.strip());
                shown++;
            }
        }
        assertThat(shown).isGreaterThan(10);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The demonstration loses nothing, with a process that is killed and without. */
class DemoTest {

    @Test
    void inAFile(@TempDir Path folder) {
        Shell.Run demo = new Shell(folder).run("demo");
        assertThat(demo.text())
                .contains("kill -9", "redeliveries: ", "Hualian")
                .contains("lost: 0");
        assertThat(demo.code()).isZero();
    }

    @Test
    void inMemory() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String[] args = {"demo", "--json", "--url", "memory:"};
        int code =
                Main.run(
                        args,
                        new ByteArrayInputStream(new byte[0]),
                        out,
                        new ByteArrayOutputStream());
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"lost\":0", "\"messages\":1707");
        assertThat(code).isZero();
    }
}

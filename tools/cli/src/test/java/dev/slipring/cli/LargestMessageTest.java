// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The largest message of all, in processes with the heap that the launcher gives. */
class LargestMessageTest {

    private static final int LARGEST = 64 << 20;

    private Path folder;
    private Path lines;

    @BeforeEach
    void write(@TempDir Path temporary) throws IOException {
        folder = temporary;
        lines = folder.resolve("lines.txt");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(lines))) {
            out.write("before\n".getBytes());
            // Several lines, as a heap that holds one may not hold the next one beside it.
            for (int line = 0; line < 3; line++) {
                for (int i = 0; i < LARGEST; i++) {
                    out.write('a' + (i + line) % 23);
                }
                out.write('\n');
            }
            out.write("behind\n".getBytes());
        }
    }

    @Test
    void comesBack() throws Exception {
        Path words = folder.resolve("words.txt");
        assertThat(slipring("-Xmx256m", lines, words, "push", "r")).isZero();
        Path out = folder.resolve("out.txt");
        assertThat(slipring("-Xmx256m", null, out, "pop", "r")).isZero();
        assertThat(Files.mismatch(lines, out)).isEqualTo(-1);
    }

    @Test
    void aSmallHeapSaysWhereItStopped() throws Exception {
        Path words = folder.resolve("words.txt");
        assertThat(slipring("-Xmx96m", lines, words, "push", "r")).isEqualTo(1);
        assertThat(words)
                .content()
                .contains("out of memory near line 1; 1 message was pushed before it")
                .contains("SLIPRING_JAVA_OPTS");
        Path out = folder.resolve("out.txt");
        assertThat(slipring("-Xmx256m", null, out, "pop", "r")).isZero();
        assertThat(out).content().isEqualTo("before\n");
    }

    @Test
    void aLineThatIsTooLongWithItsKeyIsNamed() throws Exception {
        byte[] line = new byte[LARGEST];
        Arrays.fill(line, (byte) ' ');
        byte[] object = "{\"k\":\"key\"}".getBytes();
        System.arraycopy(object, 0, line, 0, object.length);
        try (OutputStream out = Files.newOutputStream(lines)) {
            out.write("{\"k\":1}\n".getBytes());
            out.write(line);
        }
        Path words = folder.resolve("words.txt");
        int code = slipring("-Xmx512m", lines, words, "push", "r", "--key-field", "k");
        assertThat(code).isEqualTo(1);
        assertThat(words)
                .content()
                .startsWith("slipring: line 2 is longer than 64 MiB")
                .contains("1 message was pushed before it");
    }

    private int slipring(String heap, Path in, Path out, String... args) throws Exception {
        String url = "sqlite:" + folder.resolve("test.db");
        ProcessBuilder builder = Shell.apart(heap, url, args);
        if (in == null) {
            builder.redirectOutput(out.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
        } else {
            builder.redirectInput(in.toFile()).redirectError(out.toFile());
        }
        return builder.start().waitFor();
    }
}

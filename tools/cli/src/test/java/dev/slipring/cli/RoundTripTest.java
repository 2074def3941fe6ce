// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** What is pushed as lines comes back as the same lines, byte for byte. */
class RoundTripTest {

    private Shell shell;

    @BeforeEach
    void open(@TempDir Path folder) {
        shell = new Shell(folder);
    }

    private byte[] through(byte[] lines) {
        assertThat(shell.feed(lines, "push", "r").code()).isZero();
        Shell.Run pop = shell.run("pop", "r");
        assertThat(pop.code()).isZero();
        assertThat(shell.run("check", "r").text()).isEqualTo("ring r: ok\n");
        return pop.out();
    }

    @Test
    void anyBytes() {
        byte[] bytes = new byte[300_000];
        new Random(7).nextBytes(bytes);
        bytes[bytes.length - 1] = '\n';
        assertThat(through(bytes)).isEqualTo(bytes);
    }

    @Test
    void emptyLinesAndCarriageReturns() {
        byte[] bytes = "\n\na\r\n\r\n \n\0\n".getBytes(StandardCharsets.UTF_8);
        assertThat(through(bytes)).isEqualTo(bytes);
    }

    @Test
    void aLastLineWithoutEndGetsOne() {
        assertThat(through("a\nb".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("a\nb\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void nothing() {
        Shell.Run push = shell.run("push", "r");
        assertThat(push.code()).isZero();
        assertThat(push.err()).isEqualTo("0 messages pushed to r\n");
        assertThat(shell.run("pop", "r").out()).isEmpty();
    }

    @Test
    void aLongLineAmongShortOnes() {
        byte[] bytes = new byte[5_000_000];
        Arrays.fill(bytes, (byte) 'x');
        bytes[0] = '\n';
        bytes[2] = '\n';
        bytes[bytes.length - 3] = '\n';
        bytes[bytes.length - 1] = '\n';
        assertThat(through(bytes)).isEqualTo(bytes);
    }

    @Test
    void manyLinesKeepTheirOrder() {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (int i = 0; i < 12_345; i++) {
            lines.writeBytes(("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
        }
        assertThat(through(lines.toByteArray())).isEqualTo(lines.toByteArray());
    }

    @Test
    void aRingWithLessRoomTakesWhatFitsAndSaysHowMany() {
        shell.run("create", "r", "--messages", "150");
        Shell.Run push = shell.feed("x\n".repeat(400), "push", "r", "--wait", "0");
        assertThat(push.code()).isEqualTo(1);
        assertThat(push.err()).contains("full").contains("150 messages were pushed");
        assertThat(shell.run("pop", "r").lines()).hasSize(150);
    }
}

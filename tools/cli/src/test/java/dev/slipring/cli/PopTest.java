// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Slipring;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A pop reports as done what it has written, and not what it could not write. */
class PopTest {

    private static final int CLAIM = 1_000;

    private Shell shell;

    @BeforeEach
    void open(@TempDir Path folder) {
        shell = new Shell(folder);
    }

    /** A pipe whose reader leaves after some bytes. */
    private static final class ClosedPipe extends OutputStream {

        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private final int most;

        ClosedPipe(int most) {
            this.most = most;
        }

        @Override
        public void write(int b) throws IOException {
            if (read.size() >= most) {
                throw new IOException("Broken pipe");
            }
            read.write(b);
        }

        List<String> lines() {
            return read.toString(StandardCharsets.UTF_8).lines().toList();
        }
    }

    private List<String> push(int count) {
        List<String> lines =
                IntStream.range(0, count).mapToObj(i -> "message number " + i).toList();
        shell.feed(String.join("\n", lines) + "\n", "push", "r");
        return lines;
    }

    @Test
    void endsAtMax() {
        List<String> all = push(2_500);
        assertThat(shell.run("pop", "r", "--max", "1700").lines()).isEqualTo(all.subList(0, 1_700));
        assertThat(shell.run("pop", "r", "--max", "0").out()).isEmpty();
        assertThat(shell.run("pop", "r").lines()).isEqualTo(all.subList(1_700, 2_500));
        assertThat(shell.run("pop", "r", "--wait", "0.2").code()).isZero();
    }

    @Test
    void saysWhyThereIsNothing() {
        push(1);
        assertThat(shell.run("stage", "r", "pause", "main").code()).isZero();
        Shell.Run pop = shell.run("pop", "r");
        assertThat(pop.code()).isZero();
        assertThat(pop.err()).contains("stage 'main' is paused");
        shell.run("stage", "r", "resume", "main");
        assertThat(shell.run("pop", "r").lines()).hasSize(1);
        assertThat(shell.run("pop", "r").err()).isEmpty();
    }

    @Test
    void saysWhatADamagedRingHasLost() throws SQLException {
        push(3_000);
        String file = shell.url().replace("sqlite:", "jdbc:sqlite:");
        try (Connection connection = DriverManager.getConnection(file);
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM slipring_slot");
        }
        Shell.Run pop = shell.run("pop", "r");
        assertThat(pop.code()).isEqualTo(1);
        assertThat(pop.err())
                .startsWith("slipring: ring 'r', lane 0: the messages from 0 to 999 are not there")
                .contains("run 'slipring check'; 0 messages popped");
        assertThat(shell.run("check", "r").code()).isEqualTo(1);
    }

    @Test
    void aClosedPipeLosesNothing() {
        List<String> all = push(5_000);
        ClosedPipe pipe = new ClosedPipe(50_000);
        Shell.Run closed = shell.run(new byte[0], pipe, "pop", "r");
        assertThat(closed.code()).isEqualTo(1);
        assertThat(closed.err())
                .startsWith("slipring: cannot write: Broken pipe")
                .contains("went back");
        List<String> rest = shell.run("pop", "r").lines();
        assertThat(rest).isEqualTo(all.subList(all.size() - rest.size(), all.size()));
        int twice = pipe.lines().size() + rest.size() - all.size();
        assertThat(twice).isBetween(1, CLAIM);
        assertThat(shell.run("check", "r").code()).isZero();
    }

    @Test
    void jsonHasTheWholeMessage() {
        shell.feed(
                new byte[] {'{', '"', 'k', '"', ':', '1', '}', '\n'},
                "push",
                "r",
                "--key-field",
                "k");
        shell.feed(new byte[] {(byte) 0xff, '\n', '"', '\n'}, "push", "r");
        assertThat(shell.run("pop", "r", "--json").lines())
                .containsExactly(
                        "{\"id\":\"0-0\",\"key\":\"1\",\"headers\":{},\"attempt\":1,"
                                + "\"body\":\"{\\\"k\\\":1}\"}",
                        "{\"id\":\"0-1\",\"key\":null,\"headers\":{},\"attempt\":1,"
                                + "\"body\":\"/w==\","
                                + "\"encoding\":\"base64\"}",
                        "{\"id\":\"0-2\",\"key\":null,\"headers\":{},\"attempt\":1,"
                                + "\"body\":\"\\\"\"}");
    }

    @Test
    void aSlowReaderKeepsTheLease() {
        shell.run("create", "r", "--stage", "main:lease=12s");
        push(200);
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        List<String> beside = new ArrayList<>();
        OutputStream slow =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        read.write(b);
                    }

                    @Override
                    public void write(byte[] bytes, int offset, int length) {
                        try {
                            Thread.sleep(15_000);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        beside.addAll(shell.run("pop", "r").lines());
                        read.write(bytes, offset, length);
                    }
                };
        assertThat(shell.run(new byte[0], slow, "pop", "r").code()).isZero();
        assertThat(read.toString(StandardCharsets.UTF_8).lines()).hasSize(200);
        assertThat(beside).isEmpty();
        try (Slipring slipring = Slipring.open(shell.url())) {
            assertThat(slipring.ring("r").info().stages().get(0).lag()).isZero();
        }
    }
}

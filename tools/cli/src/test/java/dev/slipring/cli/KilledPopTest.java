// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Slipring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** A pop in a process of its own that is killed half-way. */
class KilledPopTest {

    private static final int CLAIM = 1_000;

    @Test
    void everythingComesOutAtLeastOnce(@TempDir Path folder) throws Exception {
        Shell shell = new Shell(folder);
        shell.run("create", "r", "--stage", "main:lease=8s");
        List<String> all =
                IntStream.range(0, 6_000)
                        .mapToObj(i -> "message " + i + " " + "x".repeat(90))
                        .toList();
        shell.feed(String.join("\n", all) + "\n", "push", "r");
        List<String> first = popAndKill(shell, 2_500);
        String left = "" + lag(shell);
        List<String> second = shell.run("pop", "r", "--wait", "60", "--max", left).lines();
        assertThat(lag(shell)).isZero();
        assertThat(first.size()).isLessThan(all.size());
        List<String> both = new ArrayList<>(first);
        both.addAll(second);
        assertThat(new HashSet<>(both)).containsAll(all);
        assertThat(both.size() - new HashSet<>(both).size()).isLessThanOrEqualTo(CLAIM);
        assertThat(shell.run("check", "r").code()).isZero();
    }

    /**
     * A pop whose reader takes nothing more is told to end: what it has in hand goes back at once,
     * and not when the lease runs out.
     */
    @Test
    void whatIsInHandGoesBackWhenItIsToldToEnd(@TempDir Path folder) throws Exception {
        Shell shell = new Shell(folder);
        shell.run("create", "r", "--stage", "main:lease=1h");
        List<String> all =
                IntStream.range(0, 6_000)
                        .mapToObj(i -> "message " + i + " " + "x".repeat(90))
                        .toList();
        shell.feed(String.join("\n", all) + "\n", "push", "r");
        Process pop = start(shell);
        BufferedReader lines = reader(pop);
        List<String> first = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            first.add(lines.readLine());
        }
        pop.toHandle().destroy();
        assertThat(pop.waitFor()).isEqualTo(128 + 15);
        List<String> second = shell.run("pop", "r").lines();
        lines.lines().forEach(first::add);
        List<String> both = new ArrayList<>(first);
        both.addAll(second);
        assertThat(new HashSet<>(both)).containsAll(all);
        assertThat(second).isNotEmpty();
        assertThat(shell.run("check", "r").code()).isZero();
    }

    /** How many messages are not done. */
    private static long lag(Shell shell) {
        try (Slipring slipring = Slipring.open(shell.url())) {
            return slipring.ring("r").info().stages().get(0).lag();
        }
    }

    /** The lines that came out whole before the process was killed. */
    private static List<String> popAndKill(Shell shell, int enough)
            throws IOException, InterruptedException {
        Process pop = start(shell);
        StringBuilder out = new StringBuilder();
        try (BufferedReader lines = reader(pop)) {
            for (int i = 0; i < enough; i++) {
                out.append(lines.readLine()).append('\n');
            }
            pop.toHandle().destroyForcibly();
            assertThat(pop.waitFor()).isEqualTo(128 + 9);
            // What is still in the pipe was written before the kill, too.
            StringWriter rest = new StringWriter();
            lines.transferTo(rest);
            out.append(rest);
        }
        return out.substring(0, out.lastIndexOf("\n") + 1).lines().toList();
    }

    private static Process start(Shell shell) throws IOException {
        return Shell.apart("-Xmx256m", shell.url(), "pop", "r")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }
}

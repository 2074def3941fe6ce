// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A program of the bench in a process of its own, which can be told to end. */
public final class BenchProcess implements AutoCloseable {

    private final Path words;
    private final Process process;

    /** Starts it; what it prints goes to a file in the folder. */
    public BenchProcess(Path folder, Class<?> main, String... arguments) throws IOException {
        words = Files.createTempFile(folder, "words", ".txt");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(words.toFile())
                        .start();
    }

    /** What it has printed to both streams. */
    public String words() throws IOException {
        return Files.readString(words);
    }

    /** Waits until it has printed something that matches. */
    public void awaitWords(String pattern) throws Exception {
        Pattern wanted = Pattern.compile(pattern);
        await(() -> wanted.matcher(words()).find());
    }

    /** Waits, while it runs, until a condition holds. */
    public void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.call()) {
            assertThat(process.isAlive() && System.nanoTime() < deadline).as(words()).isTrue();
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Tells it to end, as the system does, and waits until it has. */
    public void terminate() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

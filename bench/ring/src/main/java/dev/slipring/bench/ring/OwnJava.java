// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.BenchFailed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program of the bench in a Java of its own, so that no run profits from what another has warmed
 * up.
 */
final class OwnJava {

    private static final long LIMIT_SECONDS = 120;

    private OwnJava() {}

    /**
     * Runs a program to its end; returns what it printed.
     *
     * @throws BenchFailed if it fails, or takes longer than two minutes
     */
    static String says(Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(OwnJava.class.getName(), program.getName()));
        Collections.addAll(command, arguments);
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String what = program.getSimpleName() + " " + String.join(" ", arguments);
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailed(what + ": not over after " + LIMIT_SECONDS + " seconds");
            }
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            if (process.exitValue() != 0) {
                throw new BenchFailed(what + ": failed, see above; " + said);
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * The beginning of such a Java: {@code PROGRAM [ARGUMENT]...}. It ends with the first failure
     * of any thread: others might wait for that thread for ever, or are not to be ended.
     */
    public static void main(String[] arguments) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, e) -> {
                    e.printStackTrace();
                    Runtime.getRuntime().halt(1);
                });
        Class.forName(arguments[0])
                .getMethod("main", String[].class)
                .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.topology.Topology;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What a Java of its own measured.
 *
 * @param nanos nanoseconds a message
 * @param cpuNanos the processors' nanoseconds a message
 * @param wayNanos the longest way of a cache line meanwhile, see {@link LineWay}
 */
record Fork(double nanos, double cpuNanos, double wayNanos) {

    private static final long LIMIT_SECONDS = 120;

    /** Runs one. */
    static Fork of(Topology topology, Contestant contestant, int capacity, double seconds)
            throws IOException {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xms512m",
                                        "-Xmx512m",
                                        "-XX:+UseSerialGC",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        Heat.class.getName(),
                                        topology.name(),
                                        contestant.name(),
                                        String.valueOf(capacity),
                                        String.valueOf(seconds)))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String where = topology.name() + ", " + capacity + " slots, " + contestant.name();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailed(where + ": not over after " + LIMIT_SECONDS + " seconds");
            }
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            if (process.exitValue() != 0) {
                throw new BenchFailed(where + ": failed, see above; " + said);
            }
            return read(said);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Fork read(String line) {
        String[] words = line.split(" ");
        return new Fork(
                Double.parseDouble(words[0]),
                Double.parseDouble(words[1]),
                Double.parseDouble(words[2]));
    }

    /** What another Java reads. */
    String line() {
        return nanos + " " + cpuNanos + " " + wayNanos;
    }

    /** What is to be said of it besides its figures. */
    String note() {
        return wayNanos <= LineWay.NEAR ? "" : "some with processors far apart";
    }

    double messagesPerSecond() {
        return 1e9 / nanos;
    }

    /** How much of one core was used. */
    double cpuPercent() {
        return cpuNanos / nanos * 100;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.2f ns, %.2f ns of processor, lines' way %.0f ns",
                nanos,
                cpuNanos,
                wayNanos);
    }
}

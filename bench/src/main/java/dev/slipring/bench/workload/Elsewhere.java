// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.load.Beat;
import dev.slipring.bench.load.Pace;
import dev.slipring.bench.load.Source;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.SharedPlace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of its own that pushes; it has opened the queue when this is made. */
final class Elsewhere implements Pace.Pushing, AutoCloseable {

    /** The variable with the URL: every user of the machine could read it among the arguments. */
    static final String URL = "SLIPRING_BENCH_URL";

    static final String READY = "ready";

    private final Process process;
    private final BufferedReader answers;

    Elsewhere(Contender contender, SharedPlace place, Plan plan, int threads) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:+UseSerialGC",
                                        "-Xmx128m",
                                        "-cp",
                                        System.getProperty(
                                                "surefire.test.class.path",
                                                System.getProperty("java.class.path")),
                                        ElsewhereMain.class.getName(),
                                        contender.system(),
                                        place.name(),
                                        String.valueOf(plan.capacity()),
                                        String.valueOf(threads)))
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put(URL, place.server());
        process = builder.start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        if (!READY.equals(answers.readLine())) {
            throw new BenchFailed("the process that was to push failed; see above");
        }
    }

    @Override
    public void push(Beat beat, List<Source> sources) throws IOException, InterruptedException {
        // Both clocks are this machine's, but nanoTime may begin anywhere in another process.
        String order = inWallTime(beat.start()) + " " + beat.all() + "\n";
        process.getOutputStream().write(order.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        if (process.waitFor() != 0) {
            throw new BenchFailed("the process that pushed failed; see above");
        }
        for (int thread = 0; thread < sources.size(); thread++) {
            long rest = beat.all() - thread + sources.size() - 1;
            sources.get(thread).pushed((int) (rest / sources.size()));
        }
    }

    /** A moment of {@link System#nanoTime} in nanoseconds since 1970. */
    static long inWallTime(long nanoTime) {
        return wall() + (nanoTime - System.nanoTime());
    }

    /** A moment in nanoseconds since 1970 as {@link System#nanoTime} counts here. */
    static long inNanoTime(long wallNanos) {
        return System.nanoTime() + (wallNanos - wall());
    }

    private static long wall() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.bench.Bench;
import dev.slipring.bench.BenchRequest;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Measures rings beside their baselines. */
@Command(
        name = "bench",
        description = {
            "Measure workloads on an engine beside other queues.",
            "Runs them alternately, in several rounds, and shows the medians. On SQLite it"
                    + " works in files of its own beside the file that the URL names; that file"
                    + " itself is never created and must not exist. On a server it works in"
                    + " databases of its own, which it creates and drops; the user needs the right"
                    + " to do so."
        })
final class BenchCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "WORKLOAD",
            arity = "0..*",
            completionCandidates = Workloads.class,
            description = {
                "which to run (default: what the engine can do of the next three lines)",
                "cycle, threads, backlog, fanout, latency, idle: on every engine",
                "transactional, held, wal: on PostgreSQL",
                "reader: on MariaDB and MySQL",
                "sources, sources-brief (fewer threads), sources-pushes, sources-axes: the"
                        + " queues of the texts",
                "ring, ring/full (beside all rivals), ring/latency: between threads; with"
                        + " /TOPOLOGY behind it one graph only",
                "ring/stages (pipelines of 1 to 16), ring/text (the table of QuestDB's text)"
            })
    private List<String> workloads = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "5",
            description = "how long each run is measured (default: ${DEFAULT-VALUE})")
    private double seconds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "how often each is run (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--json", description = "print JSON lines")
    private boolean json;

    @Option(
            names = "--results",
            paramLabel = "FOLDER",
            description = "keep raw results and plots, in a new folder inside this one")
    private Path results;

    @Override
    public Integer call() throws IOException {
        Main main = Main.of(spec);
        BenchRequest request =
                BenchRequest.DEFAULT
                        .workloads(workloads)
                        .rounds(rounds, Duration.ofMillis(Math.round(seconds * 1_000)))
                        .results(results);
        request = main.askedUrl() == null ? request : request.url(main.askedUrl());
        Streams streams = main.streams();
        PrintStream out = new PrintStream(streams.out(), true, StandardCharsets.UTF_8);
        Bench.run(json ? request.asJson() : request, out, streams.err());
        Streams.checkPrinted(out);
        return 0;
    }

    /** The workloads, for completion in a shell. */
    private static final class Workloads implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Bench.workloads().stream().filter(name -> name.equals(lower(name))).iterator();
        }

        private static String lower(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    }
}

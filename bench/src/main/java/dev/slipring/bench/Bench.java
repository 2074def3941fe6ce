// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.report.Lines;
import dev.slipring.bench.report.Machine;
import dev.slipring.bench.report.RawRow;
import dev.slipring.bench.report.Results;
import dev.slipring.bench.report.Summary;
import dev.slipring.bench.report.Table;
import dev.slipring.bench.subject.Leftover;
import dev.slipring.bench.subject.Target;
import dev.slipring.bench.workload.Setting;
import dev.slipring.bench.workload.Trial;
import dev.slipring.bench.workload.Workload;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measures what was asked for: each workload in rounds, in each round each system in turn. */
public final class Bench {

    private final BenchRequest request;
    private final PrintStream out;
    private final PrintStream err;
    private final Target target;

    /** Where the results are kept; null until there are some. */
    private Results results;

    private Bench(BenchRequest request, PrintStream out, PrintStream err) {
        this.request = request;
        this.out = out;
        this.err = err;
        this.target = Target.of(request.url());
    }

    /**
     * Measures and prints.
     *
     * @param out gets the rows, as a table or as JSON lines
     * @param err gets the progress
     * @return the rows
     * @throws IllegalArgumentException if the URL or a workload's name is no good
     * @throws BenchFailed if what was delivered is not what was pushed
     */
    public static List<Row> run(BenchRequest request, PrintStream out, PrintStream err) {
        try {
            return measure(request, out, err);
        } catch (IOException e) {
            Leftover.awaitEnd();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            Leftover.awaitEnd();
            throw e;
        } finally {
            Leftover.sweep(err);
        }
    }

    /** The names of all that can be measured; a part in capitals is to be replaced. */
    public static List<String> workloads() {
        List<String> names = new ArrayList<>(Workload.names());
        names.addAll(suiteNames(Suite.all()));
        return names;
    }

    private static List<String> suiteNames(List<Suite> suites) {
        return suites.stream().flatMap(suite -> suite.names().stream()).toList();
    }

    private static List<Row> measure(BenchRequest request, PrintStream out, PrintStream err)
            throws IOException {
        if (request.results() != null) {
            Results.checkFolder(request.results());
        }
        List<Suite> suites = Suite.all();
        List<String> names = new ArrayList<>(request.workloads());
        names.removeIf(name -> suites.stream().anyMatch(suite -> suite.has(name)));
        boolean suitesAlone = names.isEmpty() && !request.workloads().isEmpty();
        Bench bench = suitesAlone ? null : new Bench(request, out, err);
        List<Work> works = suitesAlone ? List.of() : bench.works(names, suites);
        List<Row> rows = new ArrayList<>();
        for (Suite suite : suites) {
            for (String name : request.workloads().stream().filter(suite::has).toList()) {
                rows.addAll(suite.run(name, request, out, err));
            }
        }
        for (Work work : works) {
            List<RawRow> raw = bench.measure(work);
            rows.addAll(bench.print(raw));
            bench.keep(work.workload(), raw);
        }
        return rows;
    }

    /**
     * What is to be measured.
     *
     * @param trials those of the workload, in turn
     */
    private record Work(Workload workload, List<Trial> trials) {}

    /** Refuses everything that is wrong in the request before anything is measured. */
    private List<Work> works(List<String> names, List<Suite> suites) {
        List<Workload> workloads =
                names.isEmpty()
                        ? Workload.ALL
                        : names.stream()
                                .map(name -> Workload.named(name, suiteNames(suites)))
                                .toList();
        check();
        List<Work> works = new ArrayList<>();
        for (Workload workload : workloads) {
            List<Trial> trials = new ArrayList<>(workload.trials(target));
            if (!trials.isEmpty()) {
                works.add(new Work(workload, trials));
            } else if (!names.isEmpty()) {
                throw new IllegalArgumentException(
                        "workload "
                                + workload.name()
                                + " cannot be measured on "
                                + target.engine());
            }
        }
        return works;
    }

    private void check() {
        try {
            target.check();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new BenchFailed(e.getMessage(), e);
        }
    }

    private List<RawRow> measure(Work work) {
        Workload workload = work.workload();
        List<Trial> trials = work.trials();
        List<RawRow> raw = new ArrayList<>();
        Timing timing = Timing.window(request.window());
        double seconds = request.window().toMillis() / 1e3;
        trials.stream()
                .map(Trial::warning)
                .filter(warning -> !warning.isEmpty())
                .distinct()
                .forEach(warning -> err.println(workload.name() + ": " + warning));
        try (LiveHeap heap = new LiveHeap()) {
            err.println(workload.name() + ": warming up");
            trials.stream()
                    .filter(Trial::gainsByWarming)
                    .forEach(trial -> run(workload, trial, timing.warming()));
            for (int round = 1; round <= request.rounds(); round++) {
                for (Trial trial : trials) {
                    err.printf(
                            Locale.ROOT,
                            "round %d of %d: %s: ",
                            round,
                            request.rounds(),
                            words(workload, trial));
                    err.flush();
                    Measured measured = run(workload, trial, timing);
                    err.printf(Locale.ROOT, "%,.0f/s%n", measured.messagesPerSecond());
                    RawRow.Round when = new RawRow.Round(round, seconds, heap.mostMb());
                    raw.add(RawRow.of(target.engine(), workload.name(), trial, measured, when));
                }
                // The order alternates, as a later system may find a warmer or a busier machine.
                Collections.reverse(trials);
            }
        } finally {
            trials.forEach(Trial::close);
        }
        return raw;
    }

    private static Measured run(Workload workload, Trial trial, Timing timing) {
        try {
            return trial.run(timing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted", e);
        } catch (Exception e) {
            throw new BenchFailed(words(workload, trial) + ": " + e.getMessage(), e);
        }
    }

    private static String words(Workload workload, Trial trial) {
        Setting setting = trial.setting();
        return Stream.of(
                        workload.name(),
                        "threads " + setting.threads(),
                        "batch " + setting.batch(),
                        setting.what(),
                        trial.contender().system(),
                        trial.contender().option())
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private void keep(Workload workload, List<RawRow> raw) throws IOException {
        if (request.results() == null) {
            return;
        }
        Machine machine = Machine.here(target.fileSystem(), target.server());
        if (results == null) {
            results = Results.in(request.results(), machine, target.engine());
        }
        results.keep(workload.name(), raw);
        results.plot();
        results.describe(machine, request.command());
        err.println("kept in " + results.folder());
    }

    private List<Row> print(List<RawRow> raw) {
        List<Summary.Line> lines = Summary.of(raw);
        List<Row> rows = lines.stream().map(Summary.Line::row).toList();
        if (request.json()) {
            rows.forEach(row -> out.print(Lines.line(row) + "\n"));
        } else {
            out.print(Table.text(lines) + "\n");
        }
        out.flush();
        return rows;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import dev.slipring.engine.Passwords;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be measured.
 *
 * @param url the engine, and on SQLite a file that must not exist, beside which the files of the
 *     bench are made
 * @param workloads the names of the workloads; all if none is named
 * @param window how long each run is measured
 * @param rounds how often each is run
 * @param json whether to print JSON lines instead of a table
 * @param results a folder in which a new folder with the results is made; null to keep none
 */
public record BenchRequest(
        String url,
        List<String> workloads,
        Duration window,
        int rounds,
        boolean json,
        Path results) {

    /** Five rounds of five seconds of everything, next to {@code bench.db}. */
    public static final BenchRequest DEFAULT =
            new BenchRequest("sqlite:bench.db", List.of(), Duration.ofSeconds(5), 5, false, null);

    public BenchRequest {
        workloads = List.copyOf(workloads);
        if (window.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "rounds of " + window.toMillis() + " ms; use a millisecond or more");
        }
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds; use 1 or more");
        }
    }

    /** The same on another engine or file. */
    public BenchRequest url(String newUrl) {
        return new BenchRequest(newUrl, workloads, window, rounds, json, results);
    }

    /** The same with other workloads. */
    public BenchRequest workloads(List<String> names) {
        return new BenchRequest(url, names, window, rounds, json, results);
    }

    /** The same with other rounds. */
    public BenchRequest rounds(int newRounds, Duration newWindow) {
        return new BenchRequest(url, workloads, newWindow, newRounds, json, results);
    }

    /** The same with JSON lines instead of a table. */
    public BenchRequest asJson() {
        return new BenchRequest(url, workloads, window, rounds, true, results);
    }

    /** The same with the results kept. */
    public BenchRequest results(Path folder) {
        return new BenchRequest(url, workloads, window, rounds, json, folder);
    }

    /** The command line that makes this request, without any folder, host or password. */
    public String command() {
        List<String> words = new ArrayList<>(List.of("slipring", "bench"));
        words.addAll(workloads);
        words.addAll(
                List.of(
                        "--url",
                        Passwords.maskedUrl(url).replaceAll(":[^?]*/", ":"),
                        "--seconds",
                        String.valueOf(window.toMillis() / 1e3).replaceAll("\\.0$", ""),
                        "--rounds",
                        String.valueOf(rounds)));
        return String.join(" ", words);
    }
}

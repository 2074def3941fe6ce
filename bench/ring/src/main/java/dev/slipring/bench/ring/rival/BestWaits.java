// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.report.Lines;
import dev.slipring.bench.report.RawRow;
import dev.slipring.bench.report.Summary;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which of Disruptor's wait strategies are measured in the short form. For each graph and number of
 * slots they are the one with the greatest median in a kept run of the full form, and those within
 * a tenth of it, as rounds differ by more than that. The kept run has five rounds of all systems by
 * turns, in {@code bench/results/2026-11-21-2-core-x86_64-ring-full}; lite blocking was not in it.
 * {@code best-waits.txt} lists them; {@code BestWaits FOLDER} prints that list from a kept run.
 *
 * <p>Where that run has no row, they are yielding and sleeping, which were the best two with more
 * threads than processors.
 */
public final class BestWaits {

    private static final Set<String> UNKNOWN = Set.of("yielding", "sleeping");
    private static final String DISRUPTOR = "disruptor3?-";
    private static final double CLOSE = 0.9;
    private static final String BEHIND = ": ";
    private static final Map<String, Set<String>> KEPT = kept();

    private BestWaits() {}

    /** The wait strategies for a workload's setting. */
    static Set<String> of(String workload, String setting) {
        return KEPT.getOrDefault(row(workload, setting), UNKNOWN);
    }

    private static String row(String workload, String setting) {
        return workload + ", " + setting;
    }

    private static Map<String, Set<String>> kept() {
        try (InputStream in = BestWaits.class.getResourceAsStream("best-waits.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(BEHIND))
                    .collect(
                            Collectors.toMap(
                                    words -> words[0], words -> Set.of(words[1].split(" "))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The best wait strategies for each row of a kept run. */
    static Map<String, Set<String>> in(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".jsonl")).toList();
        }
        Map<String, Map<String, Double>> rates = new TreeMap<>();
        for (Path file : files) {
            for (Summary.Line line : Summary.of(Lines.read(file))) {
                RawRow raw = line.raw().get(0);
                String wait = raw.system().replaceFirst(DISRUPTOR, "");
                if (!wait.equals(raw.system())) {
                    rates.computeIfAbsent(
                                    row(raw.workload(), raw.setting()), row -> new TreeMap<>())
                            .put(wait, line.row().messagesPerSecond());
                }
            }
        }
        Map<String, Set<String>> waits = new TreeMap<>();
        rates.forEach((row, of) -> waits.put(row, best(of)));
        return waits;
    }

    private static Set<String> best(Map<String, Double> rates) {
        double least = Collections.max(rates.values()) * CLOSE;
        return rates.keySet().stream()
                .filter(wait -> rates.get(wait) >= least)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Prints the lines of {@code best-waits.txt} from a kept run's folder. */
    public static void main(String[] arguments) throws IOException {
        in(Path.of(arguments[0]))
                .forEach(
                        (row, waits) -> System.out.println(row + BEHIND + String.join(" ", waits)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import dev.slipring.bench.Row;
import dev.slipring.bench.subject.Contender;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The medians of the rounds, and how they compare with the baseline's. */
public final class Summary {

    /** The first word of settings with a backlog. */
    private static final String WAITING = "waiting ";

    /** Nanoseconds in a millisecond: latencies are in milliseconds, to the nanosecond. */
    private static final int NANOS = 1_000_000;

    private static final String NONE_WAITING = WAITING + "0";

    /**
     * A row of medians, and the rounds that it is made from.
     *
     * @param row the medians
     * @param raw the rounds
     */
    public record Line(Row row, List<RawRow> raw) {

        /** The greatest share of a core that a round used, in percent; 0 if none was measured. */
        double cpuPercent() {
            return raw.stream()
                    .map(RawRow::cpuPercent)
                    .filter(Objects::nonNull)
                    .mapToDouble(percent -> percent)
                    .max()
                    .orElse(0);
        }

        /** How many bytes of the server's log a message took; 0 if that was not measured. */
        double logBytes() {
            Double bytes = median(raw.stream().map(RawRow::logBytes));
            return bytes == null ? 0 : bytes;
        }

        /** The rate of the slowest round. */
        public double least() {
            return raw.stream().mapToDouble(RawRow::messagesPerSecond).min().orElseThrow();
        }

        /** The rate of the fastest round. */
        public double most() {
            return raw.stream().mapToDouble(RawRow::messagesPerSecond).max().orElseThrow();
        }
    }

    private record Key(
            String engine,
            String workload,
            String setting,
            String option,
            String system,
            int threads,
            int batch) {

        static Key of(RawRow row) {
            return new Key(
                    row.engine(),
                    row.workload(),
                    row.setting(),
                    row.option(),
                    row.system(),
                    row.threads(),
                    row.batch());
        }

        Key baseline() {
            return new Key(
                    engine, workload, setting, "", Contender.baseline(engine), threads, batch);
        }

        /** Whether this is another system's row of the same setting. */
        boolean isRivalIn(Key row) {
            return !system.equals(Contender.RING)
                    && new Key(engine, workload, setting, row.option, row.system, threads, batch)
                            .equals(row);
        }

        Key empty() {
            return new Key(engine, workload, NONE_WAITING, option, system, threads, batch);
        }
    }

    private final Map<Key, List<RawRow>> groups;

    private Summary(Map<Key, List<RawRow>> groups) {
        this.groups = groups;
    }

    /** The lines for these rounds, in the order in which each line's first round comes. */
    public static List<Line> of(List<RawRow> rows) {
        Summary summary =
                new Summary(
                        rows.stream()
                                .collect(
                                        Collectors.groupingBy(
                                                Key::of, LinkedHashMap::new, Collectors.toList())));
        return summary.groups.keySet().stream()
                .map(key -> new Line(summary.row(key), summary.groups.get(key)))
                .toList();
    }

    private Row row(Key key) {
        double rate = median(key, RawRow::messagesPerSecond);
        return new Row(
                key.engine(),
                key.workload(),
                variant(key),
                key.system(),
                key.threads(),
                key.batch(),
                groups.get(key).get(0).bytes(),
                rounded(rate, 1),
                rounded(median(key, RawRow::p50Ms), NANOS),
                rounded(median(key, RawRow::p99Ms), NANOS),
                rounded(ratio(rate, baseline(key)), 1000));
    }

    /** The rate of the baseline; if there is none, that of the best rival. */
    private Double baseline(Key key) {
        Double baseline = median(key.baseline(), RawRow::messagesPerSecond);
        return baseline != null
                ? baseline
                : groups.keySet().stream()
                        .filter(other -> other.isRivalIn(key))
                        .map(other -> median(other, RawRow::messagesPerSecond))
                        .max(Double::compare)
                        .orElse(null);
    }

    /** Says in words with what the ratios of a workload compare. */
    static String comparedWith(List<RawRow> rows) {
        String baseline = Contender.baseline(rows.get(0).engine());
        Map<Key, List<Key>> settings =
                rows.stream().map(Key::of).collect(Collectors.groupingBy(Key::baseline));
        long with =
                settings.entrySet().stream()
                        .filter(setting -> setting.getValue().contains(setting.getKey()))
                        .count();
        String best = "the best of the systems that are not `" + Contender.RING + "`";
        if (with == 0) {
            return best;
        }
        return "`"
                + baseline
                + "`"
                + (with == settings.size() ? "" : ", where it is not there over " + best);
    }

    private String variant(Key key) {
        List<String> words = new ArrayList<>(List.of(key.setting(), key.option()));
        if (key.setting().startsWith(WAITING) && !key.setting().equals(NONE_WAITING)) {
            Double share =
                    ratio(
                            median(key, RawRow::messagesPerSecond),
                            median(key.empty(), RawRow::messagesPerSecond));
            if (share != null) {
                words.add(String.format(Locale.ROOT, "%.2f of empty", share));
            }
        }
        Double cpu = median(key, RawRow::cpuPercent);
        if (cpu != null) {
            words.add(String.format(Locale.ROOT, "%.2f %% of a core", cpu));
        }
        Double logBytes = median(key, RawRow::logBytes);
        if (logBytes != null) {
            words.add(String.format(Locale.ROOT, "%,.0f bytes of log a message", logBytes));
        }
        groups.get(key).stream().map(RawRow::note).distinct().forEach(words::add);
        return words.stream().filter(word -> !word.isEmpty()).collect(Collectors.joining(", "));
    }

    private Double median(Key key, Function<RawRow, Double> field) {
        return median(groups.getOrDefault(key, List.of()).stream().map(field));
    }

    /** The median of those that are there; null if there are none. */
    private static Double median(Stream<Double> values) {
        List<Double> sorted = values.filter(Objects::nonNull).sorted().toList();
        if (sorted.isEmpty()) {
            return null;
        }
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(half)
                : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    private static Double ratio(Double over, Double under) {
        return over == null || under == null || under == 0 ? null : Double.valueOf(over / under);
    }

    private static Double rounded(Double value, int steps) {
        return value == null ? null : Double.valueOf((double) Math.round(value * steps) / steps);
    }
}

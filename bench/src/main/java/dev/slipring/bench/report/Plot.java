// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import dev.slipring.bench.Row;
import dev.slipring.bench.load.ThreadKind;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The medians of a workload as bars: a group for each setting, a colour for each system. */
final class Plot {

    /** What the values of a plot are. */
    enum Unit {
        MESSAGES_PER_SECOND("messages a second (more is better)"),
        MILLISECONDS("milliseconds (less is better)"),
        MICROSECONDS("microseconds (less is better)"),
        LOG_BYTES("bytes of log a message (less is better)"),
        PERCENT("% of a core (less is better)");

        private final String words;

        Unit(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** The engine of the rings between threads. */
    private static final String RING = "ring";

    /** Settings that name only the size of the ring. */
    private static final Pattern SLOTS = Pattern.compile("\\d+ slots");

    private final String title;
    private final Unit unit;
    private final boolean overThreads;
    private final List<String> settings = new ArrayList<>();

    /** The values of each system, by setting. */
    private final Map<String, Map<String, Double>> systems = new LinkedHashMap<>();

    private Plot(String title, Unit unit, boolean overThreads) {
        this.title = title;
        this.unit = unit;
        this.overThreads = overThreads;
    }

    static Plot of(String workload, List<Summary.Line> lines) {
        Unit unit =
                switch (workload) {
                    case "latency" -> Unit.MILLISECONDS;
                    case "idle" -> Unit.PERCENT;
                    case "wal" -> Unit.LOG_BYTES;
                    default ->
                            hasLatenciesBetweenThreads(lines)
                                    ? Unit.MICROSECONDS
                                    : Unit.MESSAGES_PER_SECOND;
                };
        Plot plot = new Plot(workload, unit, unit == Unit.MESSAGES_PER_SECOND && vary(lines));
        for (Summary.Line line : lines) {
            RawRow raw = line.raw().get(0);
            String system = (raw.system() + " " + raw.option()).strip();
            switch (unit) {
                case MILLISECONDS -> {
                    int comma = raw.setting().indexOf(", ");
                    String where = comma < 0 ? "" : raw.setting().substring(comma);
                    String pushing = ", threads " + raw.threads() + where;
                    plot.add(system, "p50" + pushing, line.row().p50Ms());
                    plot.add(system, "p99" + pushing, line.row().p99Ms());
                }
                case MICROSECONDS -> {
                    plot.add(system, "p50, " + raw.setting(), line.row().p50Ms() * 1e3);
                    plot.add(system, "p99, " + raw.setting(), line.row().p99Ms() * 1e3);
                }
                case LOG_BYTES -> plot.add(system, plot.setting(raw), line.logBytes());
                case PERCENT -> plot.add(system, raw.threads() + " workers", line.cpuPercent());
                default -> plot.add(system, plot.setting(raw), line.row().messagesPerSecond());
            }
        }
        return plot;
    }

    /**
     * Whether the number of threads varies. In the bench between threads each graph has its own
     * number, so it does not count there.
     */
    private static boolean vary(List<Summary.Line> lines) {
        return lines.stream()
                        .map(Summary.Line::row)
                        .filter(row -> !row.engine().equals(RING))
                        .mapToInt(Row::threads)
                        .distinct()
                        .count()
                > 1;
    }

    private static boolean hasLatenciesBetweenThreads(List<Summary.Line> lines) {
        return lines.stream()
                .map(Summary.Line::row)
                .allMatch(row -> row.engine().equals(RING) && row.p50Ms() != null);
    }

    /**
     * A plot for each size of ring, by name, with the topologies side by side; each product is
     * drawn with its best way of waiting.
     */
    static Map<String, Plot> ofTopologies(List<Summary.Line> lines) {
        Map<String, Plot> plots = new LinkedHashMap<>();
        for (Summary.Line line : lines) {
            RawRow raw = line.raw().get(0);
            if (raw.engine().equals(RING) && SLOTS.matcher(raw.setting()).matches()) {
                Plot plot =
                        plots.computeIfAbsent(
                                RING + "-of-" + raw.setting().replace(' ', '-'),
                                name ->
                                        new Plot(
                                                RING + " of " + raw.setting(),
                                                Unit.MESSAGES_PER_SECOND,
                                                false));
                String product = raw.system().replaceFirst("-.*", "");
                plot.add(product, raw.workload(), line.row().messagesPerSecond());
            }
        }
        return plots;
    }

    private String setting(RawRow raw) {
        if (overThreads) {
            return raw.setting().equals(ThreadKind.VIRTUAL.words())
                    ? raw.threads() + " " + raw.setting()
                    : "threads " + raw.threads();
        }
        return raw.setting().isEmpty() ? "batch " + raw.batch() : raw.setting();
    }

    /**
     * Adds a bar. Of several ways of waiting of one product the greater value is kept; this is done
     * with rates only.
     */
    private void add(String system, String setting, double value) {
        if (!settings.contains(setting)) {
            settings.add(setting);
        }
        systems.computeIfAbsent(system, name -> new LinkedHashMap<>())
                .merge(setting, value, Math::max);
    }

    String title() {
        return title;
    }

    Unit unit() {
        return unit;
    }

    /** Whether the settings are numbers of threads, from few to many. */
    boolean isOverThreads() {
        return overThreads;
    }

    List<String> settings() {
        return settings;
    }

    List<String> systems() {
        return List.copyOf(systems.keySet());
    }

    /** The value of a system in a setting; null if there is none, or it cannot be drawn. */
    Double value(String system, String setting) {
        Double value = systems.get(system).get(setting);
        return value == null || value <= 0 ? null : value;
    }

    List<Double> values() {
        return systems.values().stream()
                .flatMap(values -> values.values().stream())
                .filter(value -> value > 0)
                .toList();
    }
}

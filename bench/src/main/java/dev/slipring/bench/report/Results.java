// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder with results: for each workload its rounds as JSON lines and a plot, and one page with
 * the machine and the medians.
 *
 * @param folder the folder
 */
public record Results(Path folder) {

    private static final String RAW = ".jsonl";

    /**
     * A new folder of this day, machine and engine, inside the folder for all results. One that is
     * there already belongs to another run.
     */
    public static Results in(Path parent, Machine machine, String engine) {
        String name = LocalDate.now() + "-" + machine.shortName() + "-" + engine;
        Path folder = parent.resolve(name);
        for (int number = 2; Files.exists(folder); number++) {
            folder = parent.resolve(name + "-" + number);
        }
        return new Results(folder);
    }

    /** Refuses a path for all results that is no folder, or in which nothing can be written. */
    public static void checkFolder(Path parent) throws IOException {
        Path there = parent.toAbsolutePath();
        while (!Files.exists(there)) {
            there = there.getParent();
        }
        if (!Files.isDirectory(there)) {
            throw new IllegalArgumentException(
                    "'" + there + "' is no folder; name one for the results");
        }
        Files.createDirectories(parent);
        Files.delete(Files.createTempFile(parent, "bench", null));
    }

    /** Writes the rounds of a workload. */
    public void keep(String workload, List<RawRow> rows) throws IOException {
        Files.createDirectories(folder);
        Lines.write(folder.resolve(workload + RAW), rows);
    }

    /** Draws the plots of all workloads that are there. */
    public void plot() throws IOException {
        Map<String, List<Summary.Line>> workloads = workloads();
        Map<String, Plot> plots = topologies(workloads);
        workloads.forEach((name, lines) -> plots.put(name, Plot.of(name, lines)));
        for (Map.Entry<String, Plot> plot : plots.entrySet()) {
            Files.writeString(folder.resolve(plot.getKey() + ".svg"), Svg.of(plot.getValue()));
        }
    }

    private static Map<String, Plot> topologies(Map<String, List<Summary.Line>> workloads) {
        return Plot.ofTopologies(workloads.values().stream().flatMap(List::stream).toList());
    }

    /**
     * Writes the page.
     *
     * @param command the command line that was run
     */
    public void describe(Machine machine, String command) throws IOException {
        StringBuilder page = new StringBuilder("# Bench, " + LocalDate.now() + "\n\n");
        page.append("| | |\n|---|---|\n");
        row(page, "processor", machine.cpu() + ", " + machine.cores() + " cores");
        row(page, "memory", machine.memory());
        row(page, "operating system", machine.system());
        row(page, "file system", machine.fileSystem());
        row(page, "server", machine.server());
        row(page, "Java", machine.java() + ", heap " + machine.heap());
        row(page, "command", "`" + command + "`");
        page.append(
                """

                messages/s is the lesser of what was pushed and what was delivered, the median of
                the rounds; slowest and fastest are the rounds' extremes. ratio is the rate over
                that of the system that each part names, in the same setting. Latencies: in
                `threads` how long a push took, in `latency` from when a message was due to be
                pushed to its handler, in `ring-latency` to the end of the graph. The rounds are in
                the `.jsonl` files; the plots can be drawn from them again.
                """);
        Map<String, List<Summary.Line>> workloads = workloads();
        topologies(workloads).keySet().forEach(plot -> page.append(picture(plot)));
        workloads.forEach(
                (workload, lines) ->
                        page.append("\n## ")
                                .append(workload)
                                .append("\n\n")
                                .append(about(lines))
                                .append('\n')
                                .append(picture(workload))
                                .append('\n')
                                .append(Table.markdown(lines)));
        Files.writeString(folder.resolve("README.md"), page);
    }

    private static String picture(String plot) {
        return "\n![" + plot + "](" + plot + ".svg)\n";
    }

    private static void row(StringBuilder page, String name, String value) {
        if (!value.isEmpty()) {
            page.append("| ").append(name).append(" | ").append(value).append(" |\n");
        }
    }

    private static String about(List<Summary.Line> lines) {
        List<RawRow> raw = lines.stream().flatMap(line -> line.raw().stream()).toList();
        int rounds = raw.stream().mapToInt(RawRow::round).max().orElseThrow();
        long heap = raw.stream().mapToLong(RawRow::liveHeapMb).max().orElseThrow();
        return raw.get(0).engine()
                + ", "
                + rounds
                + " rounds of "
                + raw.get(0).seconds()
                + " seconds, bodies of "
                + raw.get(0).bytes()
                + " bytes; after a garbage"
                + " collection at most "
                + heap
                + " MB of the heap were in use. ratio is over "
                + Summary.comparedWith(raw)
                + ".";
    }

    private Map<String, List<Summary.Line>> workloads() throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files =
                    listed.filter(file -> file.toString().endsWith(RAW))
                            .sorted()
                            .collect(Collectors.toCollection(ArrayList::new));
        }
        Map<String, List<Summary.Line>> workloads = new LinkedHashMap<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            workloads.put(
                    name.substring(0, name.length() - RAW.length()), Summary.of(Lines.read(file)));
        }
        return workloads;
    }

    /** Draws the plots of a folder again. */
    public static void main(String[] arguments) throws IOException {
        new Results(Path.of(arguments[0])).plot();
    }
}

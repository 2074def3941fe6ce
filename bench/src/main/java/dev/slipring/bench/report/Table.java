// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import dev.slipring.bench.Row;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows as a table for people, in plain text or in Markdown. */
public final class Table {

    private static final List<String> HEADS =
            List.of(
                    "workload",
                    "threads",
                    "batch",
                    "system",
                    "messages/s",
                    "slowest",
                    "fastest",
                    "p50 ms",
                    "p99 ms",
                    "ratio",
                    "variant");

    /** The columns of numbers, which stand to the right. */
    private static final List<Integer> NUMBERS = List.of(1, 2, 4, 5, 6, 7, 8, 9);

    private final List<List<String>> cells = new ArrayList<>();

    private Table(List<Summary.Line> lines) {
        lines.forEach(line -> cells.add(cells(line)));
    }

    private static List<String> cells(Summary.Line line) {
        Row row = line.row();
        return List.of(
                row.workload(),
                String.valueOf(row.threads()),
                String.valueOf(row.batch()),
                row.system(),
                rate(row.messagesPerSecond()),
                rate(line.least()),
                rate(line.most()),
                millis(row.p50Ms()),
                millis(row.p99Ms()),
                number(row.ratio(), "%.2f"),
                row.variant());
    }

    private static String rate(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    /**
     * Milliseconds to the hundredth; if there are less than that, to a hundredth of a microsecond.
     */
    private static String millis(Double value) {
        return number(value, value != null && value < 0.01 ? "%.5f" : "%.2f");
    }

    private static String number(Double value, String format) {
        return value == null ? "" : String.format(Locale.ROOT, format, value);
    }

    /** For a terminal. */
    public static String text(List<Summary.Line> lines) {
        Table table = new Table(lines);
        List<List<String>> all = new ArrayList<>(List.of(HEADS));
        all.addAll(table.cells);
        int[] widths =
                IntStream.range(0, HEADS.size())
                        .map(
                                column ->
                                        all.stream()
                                                .mapToInt(row -> row.get(column).length())
                                                .max()
                                                .orElseThrow())
                        .toArray();
        return all.stream()
                .map(
                        row ->
                                IntStream.range(0, HEADS.size())
                                                .mapToObj(
                                                        column ->
                                                                padded(
                                                                        row.get(column),
                                                                        column,
                                                                        widths[column]))
                                                .collect(Collectors.joining("  "))
                                                .stripTrailing()
                                        + "\n")
                .collect(Collectors.joining());
    }

    private static String padded(String cell, int column, int width) {
        String space = " ".repeat(width - cell.length());
        return NUMBERS.contains(column) ? space + cell : cell + space;
    }

    /** For a page. */
    static String markdown(List<Summary.Line> lines) {
        Table table = new Table(lines);
        String rule =
                IntStream.range(0, HEADS.size())
                        .mapToObj(column -> NUMBERS.contains(column) ? "---:" : "---")
                        .collect(Collectors.joining("|", "|", "|\n"));
        return HEADS.stream().collect(Collectors.joining("|", "|", "|\n"))
                + rule
                + table.cells.stream()
                        .map(row -> String.join("|", row))
                        .map(row -> "|" + row + "|\n")
                        .collect(Collectors.joining());
    }
}

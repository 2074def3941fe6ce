// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.show;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows in columns as wide as they need; numbers stand to the right. */
public final class Table {

    /** What may stand in a column of numbers: a number, one with its unit, or none. */
    private static final Pattern NUMBER = Pattern.compile("[\\d,.]+( ?[a-z%]+)?|-|");

    private final List<String> head;
    private final List<List<String>> rows = new ArrayList<>();

    /** A table with these columns. */
    public Table(String... head) {
        this.head = List.of(head);
    }

    /** Adds a row. */
    public void row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
    }

    /** The lines. */
    public List<String> lines() {
        // Once for each column, and not for each cell: there may be many rows.
        List<Column> columns = IntStream.range(0, head.size()).mapToObj(this::column).toList();
        return Stream.concat(Stream.of(head), rows.stream())
                .map(row -> line(row, columns))
                .toList();
    }

    /** How a column is set. */
    private record Column(int width, boolean isRight) {

        String padded(String cell) {
            String pad = " ".repeat(width - cell.length());
            return isRight ? pad + cell : cell + pad;
        }
    }

    private Column column(int at) {
        int width = head.get(at).length();
        boolean isRight = !rows.isEmpty();
        for (List<String> row : rows) {
            width = Math.max(width, row.get(at).length());
            isRight = isRight && NUMBER.matcher(row.get(at)).matches();
        }
        return new Column(width, isRight);
    }

    private static String line(List<String> row, List<Column> columns) {
        return IntStream.range(0, columns.size())
                .mapToObj(i -> columns.get(i).padded(row.get(i)))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }
}

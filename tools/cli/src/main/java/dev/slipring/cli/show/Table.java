// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.show;

import java.util.ArrayList;
import java.util.List;

/** Rows in columns as wide as they need; numbers stand to the right. */
public final class Table {

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
        List<List<String>> all = new ArrayList<>(List.of(head));
        all.addAll(rows);
        return all.stream().map(this::line).toList();
    }

    private String line(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            String pad = " ".repeat(width(i) - row.get(i).length());
            line.append(i == 0 ? "" : "  ")
                    .append(isRight(i) ? pad + row.get(i) : row.get(i) + pad);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        int width = head.get(column).length();
        for (List<String> row : rows) {
            width = Math.max(width, row.get(column).length());
        }
        return width;
    }

    private boolean isRight(int column) {
        return !rows.isEmpty()
                && rows.stream()
                        .allMatch(row -> row.get(column).matches("[\\d,.]+( ?[a-z%]+)?|-|"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The table in QuestDB's text: 500, 1000 and 5000 thousand messages, two workers on two processors
 * and four on four, ten terms of a series for each message, in two graphs. {@code
 * text-fanout-500-2-10} is its first row; any other numbers can be asked for by such a name.
 */
public final class TextTable {

    /** The table's name. */
    public static final String NAME = "text";

    /** How its rows are named. */
    static final String ROWS = "text-fanout-THOUSANDS-THREADS-TERMS, text-worker-...";

    private static final Pattern ROW =
            Pattern.compile("text-(fanout|worker)-([1-9]\\d{0,4})-([1-9]\\d?)-([1-9]\\d{0,3})");

    private static final List<Integer> THOUSANDS = List.of(500, 1000, 5000);
    private static final List<Integer> THREADS = List.of(2, 4);
    private static final int TERMS = 10;

    private TextTable() {}

    /** All rows of the text, of both its machines. */
    static List<Topology> full() {
        List<Topology> rows = new ArrayList<>();
        for (int threads : THREADS) {
            THOUSANDS.forEach(thousands -> rows.add(new TextFanOut(thousands, threads, TERMS)));
            THOUSANDS.forEach(thousands -> rows.add(new TextWorker(thousands, threads, TERMS)));
        }
        return rows;
    }

    /**
     * The rows with as many workers as there are processors, as in the text; of the second graph
     * one row only.
     */
    static List<Topology> brief() {
        int threads = Math.max(Runtime.getRuntime().availableProcessors(), 2);
        return Stream.concat(
                        THOUSANDS.stream().map(each -> new TextFanOut(each, threads, TERMS)),
                        Stream.of(new TextWorker(THOUSANDS.get(1), threads, TERMS)))
                .map(Topology.class::cast)
                .toList();
    }

    /** The row with this name. */
    static Optional<Topology> named(String name) {
        Matcher row = ROW.matcher(name);
        if (!row.matches()) {
            return Optional.empty();
        }
        int[] numbers =
                IntStream.rangeClosed(2, 4).map(i -> Integer.parseInt(row.group(i))).toArray();
        return Optional.of(
                row.group(1).equals("fanout")
                        ? new TextFanOut(numbers[0], numbers[1], numbers[2])
                        : new TextWorker(numbers[0], numbers[1], numbers[2]));
    }
}

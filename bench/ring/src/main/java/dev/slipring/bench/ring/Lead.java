// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.report.RawRow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How many times as fast as a rival our ring is: the geometric mean of the rounds' ratios, and the
 * interval in which it lies with a probability of 95 % (Student, The Probable Error of a Mean,
 * 1908). The two forks of a round ran soon after each other, so what the machine did meanwhile
 * affects both.
 *
 * @param mean the mean of the ratios
 * @param least the lower end of the interval
 * @param most its upper end
 */
record Lead(double mean, double least, double most) {

    private static final String OURS = "slipring";

    /** A queue of references to objects that its users make: it is no ring. */
    private static final String NO_RING = "jctools-yielding";

    /** Student's t at 97.5 %, from one degree of freedom on. */
    private static final double[] T = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228
    };

    private static final double T_OF_MANY = 2.2;

    /** The lead of one system over another, from the rates of both in each round. */
    static Lead of(List<Double> ours, List<Double> theirs) {
        int n = ours.size();
        double[] logs = new double[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            logs[i] = Math.log(ours.get(i) / theirs.get(i));
            sum += logs[i];
        }
        double mean = sum / n;
        double squares = 0;
        for (double log : logs) {
            squares += (log - mean) * (log - mean);
        }
        double t = n < 2 ? 0 : n - 2 < T.length ? T[n - 2] : T_OF_MANY;
        double half = n < 2 ? 0 : t * Math.sqrt(squares / (n - 1) / n);
        return new Lead(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
    }

    /** A line for each setting and rival; settings in the order in which they were measured. */
    static String of(List<RawRow> rows) {
        return rows.stream()
                .collect(
                        Collectors.groupingBy(
                                RawRow::setting, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(Lead::lines)
                .collect(Collectors.joining());
    }

    private static String lines(List<RawRow> rows) {
        Map<String, List<Double>> rates =
                rows.stream()
                        .sorted((a, b) -> Integer.compare(a.round(), b.round()))
                        .collect(
                                Collectors.groupingBy(
                                        RawRow::system,
                                        TreeMap::new,
                                        Collectors.mapping(
                                                RawRow::messagesPerSecond, Collectors.toList())));
        List<Double> ours = rates.remove(OURS);
        rates.remove(NO_RING);
        RawRow row = rows.get(0);
        StringBuilder lines = new StringBuilder();
        rates.forEach(
                (system, theirs) ->
                        lines.append(row.workload())
                                .append(", ")
                                .append(row.setting())
                                .append(": ")
                                .append(of(ours, theirs))
                                .append(' ')
                                .append(system)
                                .append('\n'));
        return lines.toString();
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f) times", mean, least, most);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.soak;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What all processes and the store use at one moment.
 *
 * @param seconds seconds since the start
 * @param values the value of each measure
 */
record Sample(double seconds, Map<Measure, Double> values) {

    Sample {
        values = Map.copyOf(values);
    }

    /** The first line of a table of samples. */
    static String head() {
        return "seconds,"
                + Arrays.stream(Measure.values())
                        .map(Measure::column)
                        .collect(Collectors.joining(","));
    }

    double value(Measure measure) {
        return values.get(measure);
    }

    /** A line of a table. */
    String line() {
        return number(seconds)
                + ","
                + Arrays.stream(Measure.values())
                        .map(measure -> number(value(measure)))
                        .collect(Collectors.joining(","));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}

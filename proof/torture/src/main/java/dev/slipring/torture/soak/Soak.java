// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The samples of a long run, as a table and as a plot, and which measures grow. */
public final class Soak {

    /** How many times as much at the end as in the second quarter counts as growth. */
    private static final double MOST = 1.25;

    private final List<Sample> samples;

    /** A soak with these samples. */
    Soak(List<Sample> samples) {
        this.samples = List.copyOf(samples);
    }

    /** Writes the table {@code soak.csv} and the plot {@code soak.svg} into a folder. */
    public void write(Path folder) throws IOException {
        List<String> table = new ArrayList<>(List.of(Sample.head()));
        samples.forEach(sample -> table.add(sample.line()));
        Files.write(folder.resolve("soak.csv"), table);
        Files.writeString(folder.resolve("soak.svg"), new SoakPlot(samples).svg());
    }

    /**
     * A line for each measure, with its value in the second quarter of the time and in the last.
     */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Measure measure : measured()) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-42s %,12.0f, at the end %,.0f",
                            measure.label(),
                            median(measure, 1),
                            median(measure, 3)));
        }
        return lines;
    }

    /** The measures that grew, as text. */
    public List<String> findings() {
        List<String> findings = new ArrayList<>();
        if (measured().isEmpty()) {
            findings.add("only " + samples.size() + " samples: too short to tell what grows");
        }
        for (Measure measure : measured()) {
            double early = median(measure, 1);
            double late = median(measure, 3);
            if (late > early * MOST && late > early + measure.slack()) {
                findings.add(
                        String.format(
                                Locale.ROOT,
                                "not flat: %s went from %.0f to %.0f",
                                measure.label(),
                                early,
                                late));
            }
        }
        return findings;
    }

    /** All measures that were taken, if there are enough samples. */
    private List<Measure> measured() {
        return samples.size() > 3 ? List.of(Measure.values()) : List.of();
    }

    /** The median of a value in a quarter of the time. */
    private double median(Measure measure, int quarter) {
        int size = samples.size();
        double[] values =
                samples.subList(size * quarter / 4, size * (quarter + 1) / 4).stream()
                        .mapToDouble(sample -> sample.value(measure))
                        .sorted()
                        .toArray();
        return values[values.length / 2];
    }
}

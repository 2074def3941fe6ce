// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.slipring.bench.Row;

import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

/** Rounds become medians and ratios, a table and a plot. */
class SummaryTest {

    private final List<RawRow> raw = new ArrayList<>();

    private void round(int round, String setting, String option, String system, double rate) {
        raw.add(
                new RawRow(
                        "sqlite", "backlog", setting, option, system, 1, 1000, 300, rate, null,
                        null, null, null, "", round, 5, 100));
    }

    private void threeRounds() {
        double[] factors = {1, 10, 2};
        for (int round = 1; round <= 3; round++) {
            double factor = factors[round - 1];
            round(round, "waiting 0", "done relaxed", "slipring", 400_000 * factor);
            round(round, "waiting 0", "", "naive", 100_000 * factor);
            round(round, "waiting 5000000", "done relaxed", "slipring", 360_000 * factor);
            round(round, "waiting 5000000", "", "naive", 60_000 * factor);
        }
    }

    @Test
    void mediansAndRatios() {
        threeRounds();
        List<Summary.Line> lines = Summary.of(raw);
        assertThat(lines)
                .extracting(line -> line.row().variant())
                .containsExactly(
                        "waiting 0, done relaxed", "waiting 0",
                        "waiting 5000000, done relaxed, 0.90 of empty",
                                "waiting 5000000, 0.60 of empty");
        assertThat(lines)
                .extracting(line -> line.row().messagesPerSecond())
                .containsExactly(800_000.0, 200_000.0, 720_000.0, 120_000.0);
        assertThat(lines)
                .extracting(line -> line.row().ratio())
                .containsExactly(4.0, 1.0, 6.0, 1.0);
        assertThat(lines.get(0).least()).isEqualTo(400_000);
        assertThat(lines.get(0).most()).isEqualTo(4_000_000);
    }

    /** Of an even number of rounds the median is the mean of the two in the middle. */
    @Test
    void thePlotOfTheLogHasTheMedian() {
        double[] bytes = {9000, 400, 100, 500};
        for (int round = 1; round <= bytes.length; round++) {
            raw.add(
                    new RawRow(
                            "postgresql", "wal", "", "", "slipring", 1, 1, 300, round, null, null,
                            null, bytes[round - 1], "", round, 5, 0));
        }
        List<Summary.Line> lines = Summary.of(raw);
        assertThat(lines.get(0).row().messagesPerSecond()).isEqualTo(3);
        assertThat(lines.get(0).row().variant()).isEqualTo("450 bytes of log a message");
        assertThat(Plot.of("wal", lines).values()).containsExactly(450.0);
    }

    @Test
    void rowsAsJson() {
        assertThat(
                        Lines.line(
                                new Row(
                                        "sqlite",
                                        "latency",
                                        "",
                                        "slipring",
                                        1,
                                        1,
                                        300,
                                        999.5,
                                        0.4,
                                        2.5,
                                        null)))
                .isEqualTo(
                        "{\"engine\":\"sqlite\",\"workload\":\"latency\","
                            + "\"variant\":\"\",\"system\":\"slipring\",\"threads\":1,\"batch\":1,"
                            + "\"bytes\":300,\"messages_per_second\":999.5,"
                            + "\"p50_ms\":0.4,\"p99_ms\":2.5,\"ratio\":null}");
    }

    @Test
    void aPlotIsAsWideAsItsWordsNeed() {
        threeRounds();
        assertThat(Svg.of(Plot.of("backlog", Summary.of(raw)))).contains("viewBox=\"0 0 800 420\"");
        raw.clear();
        for (int stages = 10; stages < 30; stages++) {
            round(1, stages + " stages, 65536 slots", "", "slipring", 1_000);
        }
        // Twenty settings of 22 letters, 7 each, with 20 between them, and the rims.
        assertThat(Svg.of(Plot.of("stages", Summary.of(raw)))).contains("viewBox=\"0 0 3570 420\"");
    }

    @Test
    void tableAndPlot() {
        threeRounds();
        List<Summary.Line> lines = Summary.of(raw);
        assertThat(Table.text(lines)).contains("slipring     800,000");
        assertThat(Table.markdown(lines)).contains("|slipring|800,000|400,000|4,000,000|");
        String svg = Svg.of(Plot.of("backlog", lines));
        assertThat(svg).contains(">800k<", ">slipring done relaxed<", ">waiting 5000000<");
        assertThatNoException()
                .isThrownBy(
                        () ->
                                DocumentBuilderFactory.newInstance()
                                        .newDocumentBuilder()
                                        .parse(new InputSource(new StringReader(svg))));
    }
}

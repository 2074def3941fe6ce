// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.slipring.bench.report.RawRow;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

@Timeout(60)
class LeadTest {

    private static RawRow row(String system, int round, double rate) {
        return new RawRow(
                "ring",
                "1-1",
                "64 slots",
                "",
                system,
                2,
                1,
                8,
                rate,
                null,
                null,
                null,
                null,
                "",
                round,
                1,
                0);
    }

    @Test
    void roundsAreComparedOneByOne() {
        // The machine was four times as slow in the second round; the lead was the same.
        Lead lead = Lead.of(List.of(8.0, 2.0, 8.0), List.of(4.0, 1.0, 4.0));
        assertThat(lead).hasToString("2.00 (2.00 to 2.00) times");
    }

    @Test
    void theIntervalIsStudents() {
        Lead lead =
                Lead.of(List.of(1.0, Math.E, 1.0, Math.E, 1.0), List.of(1.0, 1.0, 1.0, 1.0, 1.0));
        // Mean 0.4, deviation 0.5477, t of 4 degrees 2.776: 0.4 and 0.68 to each side.
        assertThat(lead.mean()).isCloseTo(Math.exp(0.4), within(1e-9));
        assertThat(lead.least()).isCloseTo(Math.exp(0.4 - 0.68), within(1e-3));
        assertThat(lead.most()).isCloseTo(Math.exp(0.4 + 0.68), within(1e-2));
    }

    @Test
    void eachRivalHasALineAndQueuesOfReferencesHaveNone() {
        assertThat(
                        Lead.of(
                                List.of(
                                        row("slipring", 1, 6),
                                        row("questdb-yielding", 1, 3),
                                        row("questdb-yielding", 2, 4),
                                        row("slipring", 2, 8),
                                        row("jctools-yielding", 1, 9),
                                        row("jctools-yielding", 2, 9))))
                .isEqualTo("1-1, 64 slots: 2.00 (2.00 to 2.00) times questdb-yielding\n");
    }

    @Test
    void aLineTakesItsTimeToAnotherProcessor() throws Exception {
        assertThat(LineWay.nanos()).isBetween(1.0, 1e8);
    }
}

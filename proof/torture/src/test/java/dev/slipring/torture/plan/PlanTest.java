// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

class PlanTest {

    private static final Duration TIME = Duration.ofMinutes(10);

    @Test
    void theSameSeedIsTheSamePlan() {
        List<Fault> plan = Plan.of(7, TIME, false, false);
        assertThat(Plan.of(7, TIME, false, false)).isEqualTo(plan);
        assertThat(Plan.of(8, TIME, false, false)).isNotEqualTo(plan);
        assertThat(plan).isSortedAccordingTo((a, b) -> Long.compare(a.atMillis(), b.atMillis()));
        assertThat(plan).allMatch(fault -> fault.atMillis() < TIME.toMillis());
    }

    @Test
    void itHasEveryKindThatThePlaceCanTake() {
        assertThat(kinds(false, false)).doesNotContain(Kind.KILL_SERVER, Kind.FILL_DISK);
        assertThat(kinds(false, false)).hasSize(Kind.values().length - 2);
        assertThat(kinds(true, true)).hasSize(Kind.values().length);
    }

    private static java.util.Set<Kind> kinds(boolean server, boolean disk) {
        return Plan.of(1, TIME, server, disk).stream().map(Fault::kind).collect(Collectors.toSet());
    }
}

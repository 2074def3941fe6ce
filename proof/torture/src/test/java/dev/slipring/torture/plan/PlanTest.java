// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

class PlanTest {

    private static final Set<Kind> SPECIAL =
            Set.of(
                    Kind.KILL_SERVER,
                    Kind.FILL_DISK,
                    Kind.CUT_WIRE,
                    Kind.LOSE_ANSWERS,
                    Kind.STALL_WIRE,
                    Kind.NEXT_SEGMENT,
                    Kind.HOLD_SEGMENT);
    private static final Duration TIME = Duration.ofMinutes(10);

    @Test
    void theSameSeedIsTheSamePlan() {
        List<Fault> plan = Plan.of(7, TIME, Set.of(), false);
        assertThat(Plan.of(7, TIME, Set.of(), false)).isEqualTo(plan);
        assertThat(Plan.of(8, TIME, Set.of(), false)).isNotEqualTo(plan);
        assertThat(plan).isSortedAccordingTo((a, b) -> Long.compare(a.atMillis(), b.atMillis()));
        assertThat(plan).allMatch(fault -> fault.atMillis() < TIME.toMillis());
    }

    @Test
    void itHasEveryKindThatThePlaceCanTake() {
        Set<Kind> common = EnumSet.allOf(Kind.class);
        common.removeAll(SPECIAL);
        assertThat(kinds(Set.of())).isEqualTo(common);
        assertThat(kinds(SPECIAL)).containsExactlyInAnyOrder(Kind.values());
    }

    @Test
    void aSoakEndsNobody() {
        assertThat(Plan.of(1, TIME, SPECIAL, true))
                .isNotEmpty()
                .noneMatch(fault -> fault.kind().name().startsWith("KILL"))
                .noneMatch(fault -> fault.kind() == Kind.CUT_WIRE);
    }

    private static Set<Kind> kinds(Set<Kind> special) {
        return Plan.of(1, TIME, special, false).stream()
                .map(Fault::kind)
                .collect(Collectors.toSet());
    }
}

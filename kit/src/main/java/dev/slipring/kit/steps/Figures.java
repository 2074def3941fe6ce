// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Survey;
import dev.slipring.Survey.StageSurvey;

import java.util.Arrays;

/** What a survey counts, compared with the oracle's own account. */
final class Figures {

    private final RingOracle oracle;
    private final Survey survey;

    Figures(RingOracle oracle, Survey survey) {
        this.oracle = oracle;
        this.survey = survey;
    }

    void check() {
        assertThat(survey.pushed()).as("pushed").isEqualTo(Arrays.stream(oracle.heads).sum());
        assertThat(survey.heldMessages()).as("held").isEqualTo(held());
        assertThat(survey.heldBytes() > 0).as("whether bytes are held").isEqualTo(held() > 0);
        survey.stages().forEach(stage -> check(stage, oracle.stages.get(stage.name())));
    }

    private long held() {
        return oracle.held.stream()
                .mapToLong(slot -> slot.end() - Math.max(gate(slot.lane()), slot.first()))
                .sum();
    }

    private long gate(int lane) {
        return survey.lanes().get(lane).gate();
    }

    private void check(StageSurvey stage, StageOracle own) {
        assertThat(stage.redelivered())
                .as("redelivered by %s", stage.name())
                .isEqualTo(own.redelivered);
        // A lease that runs out at the last attempt is a failure too.
        assertThat(stage.failed())
                .as("failures of %s", stage.name())
                .isGreaterThanOrEqualTo(own.failed);
        assertThat("paused".equals(stage.stalled())).as(stage.name()).isEqualTo(own.paused);
        assertThat(stage.done() + stage.lag()).as(stage.name()).isEqualTo(survey.pushed());
        assertThat(stage.claimed()).as(stage.name()).isBetween(stage.done(), survey.pushed());
        assertThat(stage.outOfReach()).as(stage.name()).isBetween(0L, stage.lag());
        assertThat(stage.aside() > 0 && stage.nextRetry() == null).as(stage.name()).isFalse();
    }
}

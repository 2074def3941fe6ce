// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.DeadLetter;
import dev.slipring.engine.Change;
import dev.slipring.kit.steps.StageOracle.Id;
import dev.slipring.kit.steps.StageOracle.State;

import java.util.ArrayList;
import java.util.List;

/** Dead letters that are retried or dropped. */
final class DeadSteps {

    private final Scene scene;

    DeadSteps(Scene scene) {
        this.scene = scene;
    }

    /** Retries or drops some dead letters. */
    void some(StageOracle stage, boolean retry) {
        dead(stage, retry, true);
    }

    /** Retries all dead letters. */
    void retryAll(StageOracle stage) {
        dead(stage, true, false);
    }

    private void dead(StageOracle stage, boolean retry, boolean some) {
        List<String> ids = new ArrayList<>();
        List<Id> chosen = new ArrayList<>();
        for (DeadLetter letter : scene.eye().deadLetters(scene.ring, stage.name(), null, 1_000)) {
            Id id = new Id(letter.delivery().lane(), letter.delivery().position());
            ClaimOracle hand = stage.hands.get(id);
            assertThat(hand != null && hand.isLive(scene.now()))
                    .as("whether %s is in hand, which is dead in %s", id, stage.name())
                    .isFalse();
            stage.put(id, State.DEAD);
            if (!some || scene.random.nextBoolean()) {
                ids.add(letter.delivery().id());
                chosen.add(id);
            }
        }
        if (ids.isEmpty()) {
            return;
        }
        scene.log("dead " + stage.name() + " retry " + retry + " " + ids);
        Change change =
                retry
                        ? new Change.RetryDead(stage.name(), ids)
                        : new Change.DropDead(stage.name(), ids);
        assertThat(scene.store().change(scene.ring, change)).isEqualTo(ids.size());
        for (Id id : chosen) {
            if (retry) {
                stage.waits(id, State.ASIDE, scene.now());
            } else {
                scene.oracle.dropped(stage, id);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.graph.StageSpec;

import java.time.Duration;

/** Claims, also some that run out. */
final class ClaimSteps {

    private static final long LOST_MILLIS = 1;

    private final Scene scene;

    ClaimSteps(Scene scene) {
        this.scene = scene;
    }

    /** Claims; returns what was claimed, null if that is nothing. */
    ClaimOracle claim(StageOracle stage, int max) {
        Claimed claimed = scene.store().claim(scene.ring, new ClaimRequest(stage.name(), max, "w"));
        return claimed(stage, claimed, max);
    }

    /** Notes a claim, which the oracle judges; returns null if it is empty. */
    ClaimOracle claimed(StageOracle stage, Claimed claimed, int max) {
        if (claimed.isEmpty()) {
            scene.log("nothing of " + stage.name() + ": " + claimed.reason());
            scene.oracle.nothing(stage, scene.now());
            return null;
        }
        scene.log(
                "claim "
                        + stage.name()
                        + " "
                        + max
                        + " at epoch "
                        + claimed.ticket().epoch() % 1_000
                        + (claimed.ticket().retry() ? " R" : "")
                        + " "
                        + claimed.deliveries().stream()
                                .map(d -> d.id() + "#" + d.attempt())
                                .toList());
        ClaimOracle claim = scene.oracle.claimed(stage, claimed, max, scene.now());
        scene.claims.add(claim);
        return claim;
    }

    /** Where nobody moves the clock: a claim under a lease that is over when this returns. */
    void lose(StageOracle stage, int max) {
        StageSpec usual = stage.spec;
        redeclare(stage, usual.lease(Duration.ofMillis(LOST_MILLIS)));
        ClaimOracle claim = claim(stage, max);
        if (claim != null) {
            scene.log("which runs out");
            // Servers count in whole milliseconds.
            scene.setting.pass(LOST_MILLIS + 2);
            claim.expires = scene.now();
        }
        redeclare(stage, usual);
    }

    /** Gives a stage another lease, number of tries, or limit. */
    void redeclare(StageOracle stage, StageSpec spec) {
        scene.log("redeclare " + Scene.words(spec));
        long changed = scene.store().change(scene.ring, new Change.RedeclareStage(spec));
        assertThat(changed).isEqualTo(spec.equals(stage.spec) ? 0 : 1);
        stage.mayBeDead |= spec.tries() != stage.spec.tries();
        stage.spec = spec;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Store;
import dev.slipring.graph.StageSpec;

import java.time.Duration;

/** Claims, also some that run out. */
final class ClaimSteps {

    private static final long LOST_MILLIS = 1;
    private static final long LOOK_MILLIS = 100;

    private final Scene scene;

    ClaimSteps(Scene scene) {
        this.scene = scene;
    }

    /** Claims; returns what was claimed, null if that is nothing. */
    ClaimOracle claim(StageOracle stage, int max) {
        Store store = scene.store();
        Claimed claimed = store.claim(scene.ring, new ClaimRequest(stage.name(), max, "w"));
        return claimed(store, stage, claimed, max);
    }

    /** Notes a claim, which the oracle judges; returns null if it is empty. */
    ClaimOracle claimed(Store store, StageOracle stage, Claimed first, int max) {
        Claimed claimed = first;
        if (first.isEmpty()) {
            scene.log("nothing of " + stage.name() + ": " + first.reason());
            if (scene.setting.clock() == null && stage.overdue(scene.now()) != null) {
                // A server's store may rely on its last look at all lanes for some milliseconds.
                scene.setting.pass(LOOK_MILLIS);
                claimed = store.claim(scene.ring, new ClaimRequest(stage.name(), max, "w"));
            }
        }
        if (claimed.isEmpty()) {
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

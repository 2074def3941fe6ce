// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Survey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.engine.Change;
import dev.slipring.graph.RingSpec;

import java.util.List;
import java.util.Random;

/**
 * Random steps on one ring, each made in one of the stores and on the oracle, which compares. One
 * step follows the other; for one thread.
 */
public final class RandomSteps implements Simulation.Steps {

    private static final int ROUNDS = 200;

    private final Scene scene;
    private final PushSteps pushes;
    private final ClaimSteps claims;
    private final WordSteps words;
    private final DeadSteps dead;
    private final StageSteps stages;

    /** How many changes follow a change at once: in most rings none. */
    private final int changes;

    /** Makes a random ring. */
    public RandomSteps(Random random, Setting setting, String ring) {
        scene = new Scene(random, setting, ring);
        pushes = new PushSteps(scene);
        claims = new ClaimSteps(scene);
        words = new WordSteps(scene, claims);
        dead = new DeadSteps(scene);
        stages = new StageSteps(scene, claims);
        RingSpec spec = Shapes.ring(random, ring, setting.lease());
        scene.store().change(ring, new Change.Create(spec));
        scene.made(spec);
        changes = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0;
    }

    @Override
    public List<String> log() {
        return scene.log;
    }

    @Override
    public void step() {
        Random random = scene.random;
        int dice = random.nextInt(scene.setting.stores().size() == 1 ? 100 : 106);
        if (random.nextInt(16) == 0) {
            stretch();
        } else if (dice < 21) {
            pushes.push();
        } else if (dice < 52) {
            // Some go over several slots.
            claims.claim(scene.anyStage(), 1 + random.nextInt(random.nextInt(4) == 0 ? 20 : 6));
        } else if (dice < 81) {
            words.word();
        } else if (dice < 89) {
            time();
        } else if (dice < 92) {
            dead.some(scene.anyStage(), random.nextInt(3) > 0);
        } else {
            stages.change();
            for (int more = changes; more > 0; more--) {
                scene.compare();
                stages.change();
            }
        }
        scene.compare();
    }

    /** The usual way of messages, in one store: what that remembers is right for a while. */
    private void stretch() {
        Random random = scene.random;
        int lane = random.nextInt(scene.oracle.heads.length);
        StageOracle stage = scene.anyStage();
        ClaimOracle claim = null;
        scene.stay();
        for (int i = 2 + random.nextInt(5); i > 0; i--) {
            pushes.push(lane);
            if (claim == null) {
                claim = claims.claim(stage, 1 + random.nextInt(6));
            } else if (random.nextInt(3) > 0) {
                claim = words.doneAndClaim(claim);
            } else {
                words.done(claim);
                claim = claims.claim(stage, 1 + random.nextInt(6));
            }
        }
        scene.stays = false;
    }

    private void time() {
        if (scene.setting.clock() == null) {
            claims.lose(scene.anyStage(), 1 + scene.random.nextInt(6));
        } else {
            advance(scene.random.nextInt(4) == 0 ? 110 : scene.random.nextInt(40));
        }
    }

    private void advance(long millis) {
        scene.log("advance " + millis);
        scene.setting.pass(millis);
    }

    /** Does everything there is to do, compares the result, and drops the ring. */
    @Override
    public void finish() {
        boolean moves = scene.setting.clock() != null;
        scene.oracle.stages.keySet().forEach(name -> stages.pause(name, false));
        if (!moves) {
            List.copyOf(scene.claims).stream()
                    .filter(claim -> claim.isLive(scene.now()))
                    .forEach(words::done);
        }
        boolean more = true;
        for (int round = 0; more; round++) {
            assertThat(round).isLessThan(ROUNDS);
            advance(moves ? 110 : 5);
            more = false;
            for (StageOracle stage : scene.oracle.stages.values()) {
                more |= finish(stage);
            }
            // Where nobody moves the clock, a retry may not be due yet.
            more |= !moves && scene.survey().stages().stream().anyMatch(stage -> stage.aside() > 0);
        }
        scene.oracle.checkAllDone();
        Survey survey = scene.survey();
        assertThat(survey.broken()).isEmpty();
        assertThat(survey.heldMessages()).isZero();
        assertThat(survey.heldBytes()).isZero();
        for (StageSurvey stage : survey.stages()) {
            assertThat(stage.aside() + stage.dead() + stage.lag()).as(stage.name()).isZero();
        }
        scene.store().change(scene.ring, new Change.Drop());
    }

    /** Does what there is to do now in a stage; returns whether there was something. */
    private boolean finish(StageOracle stage) {
        dead.retryAll(stage);
        boolean more =
                !stage.claims.isEmpty() && stage.claims.removeIf(c -> !c.isLive(scene.now()));
        for (ClaimOracle claim = claims.claim(stage, 50);
                claim != null;
                claim = claims.claim(stage, 50)) {
            more = true;
            words.done(claim);
        }
        return more;
    }
}

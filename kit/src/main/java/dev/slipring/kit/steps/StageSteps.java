// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Change;
import dev.slipring.graph.Mode;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.TreeSet;

/** Changes of a ring in use, and of its stages. */
final class StageSteps {

    private final Scene scene;
    private final ClaimSteps claims;
    private int added;

    StageSteps(Scene scene, ClaimSteps claims) {
        this.scene = scene;
        this.claims = claims;
    }

    /** Changes something, and may claim after that, as a store that knows nothing of it. */
    void change() {
        StageOracle stage = scene.anyStage();
        change(stage);
        StageOracle now = scene.oracle.stages.get(stage.name());
        if (scene.random.nextBoolean()) {
            claims.claim(now == null ? scene.anyStage() : now, 1 + scene.random.nextInt(6));
        }
    }

    private void change(StageOracle stage) {
        switch (scene.random.nextInt(13)) {
            case 0, 1 -> pause(stage.name(), scene.random.nextInt(3) == 0);
            case 2, 3 -> rewind(stage);
            case 4 -> remove(stage);
            case 5, 6 -> addAnother();
            case 7, 8 -> {
                if (remove(stage)) {
                    scene.compare();
                    add(stage.name());
                }
            }
            case 9, 10 -> claims.redeclare(stage, another(stage.spec));
            case 11 -> resize();
            default -> {
                if (scene.random.nextInt(3) == 0) {
                    makeAnew();
                } else {
                    purge();
                }
            }
        }
    }

    private void change(Change change) {
        scene.store().change(scene.ring, change);
    }

    void pause(String stage, boolean paused) {
        scene.log("pause " + stage + " " + paused);
        change(new Change.Pause(stage, paused));
        scene.oracle.stages.get(stage).paused = paused;
    }

    private Start start() {
        return scene.setting.clock() == null || scene.random.nextBoolean()
                ? Start.OLDEST
                : Start.at(Instant.ofEpochMilli(scene.now() - scene.random.nextInt(200)));
    }

    private long[] positions(Start start) {
        return switch (start.at()) {
            case OLDEST -> scene.oracle.since(Long.MIN_VALUE);
            case NEWEST -> scene.oracle.heads.clone();
            case TIME -> scene.oracle.since(start.time().toEpochMilli());
        };
    }

    private void rewind(StageOracle stage) {
        Start start = start();
        long[] positions = positions(start);
        scene.log("rewind " + stage.name() + " " + Arrays.toString(positions));
        change(new Change.Rewind(stage.name(), start));
        scene.oracle.rewound(stage, positions, scene.now());
    }

    private boolean remove(StageOracle stage) {
        if (scene.oracle.stages.size() == 1) {
            return false;
        }
        scene.log("remove " + stage.name());
        change(new Change.RemoveStage(stage.name()));
        scene.oracle.removed(stage.name());
        return true;
    }

    private void addAnother() {
        String name = "x" + added++;
        if (scene.oracle.stages.size() < 6) {
            add(name);
            claims.claim(scene.oracle.stages.get(name), 1 + scene.random.nextInt(6));
        }
    }

    private void add(String name) {
        StageSpec spec = Shapes.stage(scene.random, name, scene.setting.lease());
        StageSpec limited = scene.random.nextInt(3) == 0 ? keeping(spec) : spec;
        TreeSet<String> after = new TreeSet<>();
        scene.oracle.stages.keySet().stream()
                .filter(other -> scene.random.nextInt(3) == 0)
                .forEach(after::add);
        Start start = scene.random.nextInt(3) == 0 ? Start.NEWEST : start();
        long[] positions = positions(start);
        scene.log(
                "add "
                        + Scene.words(limited)
                        + " after "
                        + after
                        + " at "
                        + Arrays.toString(positions));
        change(new Change.AddStage(limited, after, start));
        scene.oracle.added(limited, scene.oracle.graph.with(limited, after), positions);
    }

    private StageSpec keeping(StageSpec spec) {
        return spec.keep(1 + scene.random.nextInt(4));
    }

    /**
     * Another lease and limit. Whether what has run out in an ordered stage still keeps what is
     * behind it depends on the tries that the stage had when somebody looked; the oracle does not
     * know when that was.
     */
    private StageSpec another(StageSpec spec) {
        long usual = scene.setting.lease().toMillis();
        StageSpec other = spec.lease(Duration.ofMillis(usual - scene.random.nextInt(60)));
        if (spec.mode() == Mode.POOL && scene.random.nextBoolean()) {
            other = other.tries(1 + scene.random.nextInt(4));
        }
        return scene.random.nextBoolean() ? keeping(other) : other.keep(StageSpec.DEFAULT_KEEP);
    }

    private void resize() {
        scene.messages = 1 + scene.random.nextInt(scene.random.nextInt(3) == 0 ? 6 : 44);
        scene.log("resize " + scene.messages);
        change(new Change.Resize(scene.messages, 1 << 20));
    }

    private void purge() {
        scene.log("purge");
        change(new Change.Purge());
        scene.oracle.purged();
    }

    /** Drops the ring, and makes another of the same name. */
    private void makeAnew() {
        RingSpec spec = Shapes.ring(scene.random, scene.ring, scene.setting.lease());
        scene.log("drop, and make anew");
        change(new Change.Drop());
        assertThat(scene.store().change(scene.ring, new Change.Create(spec))).isEqualTo(1);
        scene.claims.forEach(claim -> claim.fenced = true);
        scene.behind.addAll(scene.setting.stores());
        scene.made(spec);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.NoSuchRing;
import dev.slipring.Survey;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/** What the steps of one run share: the ring, its oracle, the claims, and what was done so far. */
final class Scene {

    final Random random;
    final Setting setting;
    final String ring;
    final List<ClaimOracle> claims = new ArrayList<>();
    final List<String> log = new ArrayList<>();

    /** The stores that may not have noticed that the ring was made anew. */
    final Set<Store> behind = Collections.newSetFromMap(new IdentityHashMap<>());

    RingOracle oracle;
    long messages;

    /** Whether all calls are made in the store of the last one. */
    boolean stays;

    private int at;

    Scene(Random random, Setting setting, String ring) {
        this.random = random;
        this.setting = setting;
        this.ring = ring;
    }

    /** Notes a ring that was made. */
    void made(RingSpec spec) {
        oracle = new RingOracle(spec);
        messages = spec.messages();
        log(spec.lanes() + " lanes, " + spec.messages() + ": " + spec.stages());
        spec.stages().names().forEach(name -> log(words(spec.stages().get(name))));
    }

    /** A stage as the log shows it. */
    static String words(StageSpec stage) {
        return stage.name()
                + " "
                + stage.mode()
                + " lease "
                + stage.lease().toMillis()
                + " tries "
                + stage.tries()
                + (stage.keep() == StageSpec.DEFAULT_KEEP ? "" : " keep " + stage.keep());
    }

    void log(String words) {
        log.add(words);
    }

    /** One of the stores, for one call; the same one for a while where somebody stays. */
    Store store() {
        if (!stays) {
            at = random.nextInt(setting.stores().size());
        }
        if (setting.stores().size() > 1) {
            log("  store " + at);
        }
        return setting.stores().get(at);
    }

    /** From now on all calls are made in one of the stores, and in no caller's transaction. */
    void stay() {
        at = random.nextInt(setting.stores().size());
        stays = true;
    }

    /** One of the stores, for a look that the log need not have. */
    Store eye() {
        return setting.stores().get(random.nextInt(setting.stores().size()));
    }

    Survey survey() {
        return eye().survey(ring, true);
    }

    /** Checks that nothing is broken or counted wrong, and notes what was released. */
    void compare() {
        Survey survey = survey();
        assertThat(survey.broken()).isEmpty();
        oracle.released(survey);
        new Figures(oracle, survey).check();
    }

    /**
     * Does something in a transaction of a caller's. The first one after the ring was made anew may
     * be refused by a store that knew the ring before; the next one is not.
     */
    <T> T joined(boolean commits, Function<Store, T> work) {
        Store store = store();
        try {
            return setting.joined(store, commits, work);
        } catch (NoSuchRing gone) {
            if (!behind.remove(store)) {
                throw gone;
            }
            log("  refused, and again");
            return setting.joined(store, commits, work);
        }
    }

    /** Whether a step is to be part of a caller's transaction. */
    boolean joins() {
        return setting.connection() != null && !stays && random.nextInt(4) == 0;
    }

    long now() {
        return setting.now();
    }

    StageOracle anyStage() {
        return List.copyOf(oracle.stages.values()).get(random.nextInt(oracle.stages.size()));
    }
}

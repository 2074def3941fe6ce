// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.ManualClock;
import dev.slipring.Slipring;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Store;
import dev.slipring.kit.steps.RandomSteps;
import dev.slipring.kit.steps.Setting;
import dev.slipring.kit.steps.Simulation;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** One ring in two open stores, as two processes have it: all promises but the tenth at once. */
public interface TwoStores extends Promise {

    /**
     * Random steps, each in one of two stores, keep the promises by the account of an oracle. What
     * a store remembers of the ring is often old here, as the other has changed it since.
     */
    @Test
    default void randomStepsInTwoStores() throws Exception {
        needs(Capability.SHARED);
        Slipring other = bed().open();
        List<Store> stores = List.of(slipring().store(), other.store());
        String test = getClass().getSimpleName() + "#randomStepsInTwoStores";
        try (Connection connection = withoutAutoCommit()) {
            ManualClock clock = bed().clock(slipring());
            Setting setting = new Setting(stores, clock, connection);
            new Simulation(test, 20, 80)
                    .run((seed, random) -> new RandomSteps(random, setting, "ring" + seed));
        }
    }

    /** A connection of the test's own; null where there is none. */
    private Connection withoutAutoCommit() throws SQLException {
        boolean joins = slipring().store().capabilities().contains(Capability.JOIN);
        return joins ? transaction() : null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Slipring;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.util.logging.Level;
import java.util.logging.Logger;

/** The whole suite. An engine's test extends it. */
public abstract class Kit
        implements P01Durable,
                P02OneClaim,
                P03AtLeastOnce,
                P04Order,
                P05Follow,
                P06Gate,
                P07Fence,
                P08NoHoles,
                P09Join,
                P10Idle,
                LivingGraph,
                MadeAnew,
                Messages,
                Detours,
                Work,
                Batches,
                LongWords,
                LongPushes,
                HalfSaid,
                Heard,
                Sharing,
                Drained,
                Outliving,
                Stopped,
                TwoStores,
                AtOnce,
                VirtualThreads {

    /** Kept, as its level is forgotten with it. */
    private static final Logger HANDLERS = Logger.getLogger("dev.slipring.handlers");

    static {
        HANDLERS.setLevel(Level.OFF); // here handlers throw on purpose
    }

    private Testbed bed;
    private Slipring slipring;

    /** A suite. */
    protected Kit() {}

    /** A new, empty store. */
    protected abstract Testbed newTestbed() throws Exception;

    @Override
    public Testbed bed() {
        return bed;
    }

    @Override
    public Slipring slipring() {
        return slipring;
    }

    @BeforeEach
    void openStore() throws Exception {
        bed = newTestbed();
        slipring = bed.open();
    }

    @AfterEach
    void checkAndClose() throws Exception {
        try {
            if (slipring != null) {
                for (String name : slipring.rings()) {
                    assertThat(slipring.ring(name).check()).as("check of " + name).isEmpty();
                }
            }
        } finally {
            bed.close();
        }
    }
}

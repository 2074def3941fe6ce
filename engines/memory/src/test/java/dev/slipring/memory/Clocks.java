// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ManualClock;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;

import java.time.Instant;

/** Stores in memory on clocks that the simulations move. */
final class Clocks {

    private Clocks() {}

    static ManualClock begin() {
        return new ManualClock(Instant.ofEpochMilli(1_000_000));
    }

    static Store store(ManualClock clock) {
        return new MemoryEngine().open(new Opening("memory:", null, clock, true, false));
    }
}

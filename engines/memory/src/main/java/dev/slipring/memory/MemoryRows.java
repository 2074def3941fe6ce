// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ledger.AsideTable;
import dev.slipring.ledger.ClaimTable;
import dev.slipring.ledger.RingTable;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.SlotTable;

import java.time.InstantSource;

/** The rows of all rings of a store in memory. */
final class MemoryRows implements Rows {

    private final InstantSource clock;
    private final MemoryRings rings;
    private final SlotTable lanes;
    private final ClaimTable strands;
    private final AsideTable aside;

    MemoryRows(InstantSource clock, UndoLog undo) {
        this.clock = clock;
        rings = new MemoryRings(undo);
        lanes = new MemoryLanes(rings, undo);
        strands = new MemoryStrands(rings, undo);
        aside = new MemoryAside(rings, undo);
    }

    @Override
    public long now() {
        return clock.millis();
    }

    @Override
    public RingTable rings() {
        return rings;
    }

    @Override
    public SlotTable lanes() {
        return lanes;
    }

    @Override
    public ClaimTable strands() {
        return strands;
    }

    @Override
    public AsideTable aside() {
        return aside;
    }
}

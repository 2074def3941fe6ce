// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ledger.AsideTable;
import dev.slipring.ledger.LaneTable;
import dev.slipring.ledger.RingTable;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.StrandTable;

import java.time.InstantSource;

/** The rows of all rings of a store in memory. */
final class MemoryRows implements Rows {

    private final InstantSource clock;
    private final MemoryRings rings;
    private final LaneTable lanes;
    private final StrandTable strands;
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
    public LaneTable lanes() {
        return lanes;
    }

    @Override
    public StrandTable strands() {
        return strands;
    }

    @Override
    public AsideTable aside() {
        return aside;
    }
}

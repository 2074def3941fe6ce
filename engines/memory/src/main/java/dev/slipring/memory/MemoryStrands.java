// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.graph.Shape;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.ClaimTable;
import dev.slipring.ledger.Strand;
import dev.slipring.memory.MemoryRing.At;

import java.util.List;
import java.util.OptionalLong;

/** Stages in lanes and the claims on them, in memory. */
final class MemoryStrands implements ClaimTable {

    private final MemoryRings rings;
    private final UndoLog undo;

    MemoryStrands(MemoryRings rings, UndoLog undo) {
        this.rings = rings;
        this.undo = undo;
    }

    @Override
    public List<Strand> of(long ring, String stage) {
        return List.copyOf(MemoryRing.of(rings.ring(ring).strands, stage).values());
    }

    @Override
    public Strand get(long ring, String stage, int lane) {
        return rings.ring(ring).strands.get(new At(stage, lane, 0));
    }

    @Override
    public void put(long ring, Strand strand) {
        undo.put(rings.ring(ring).strands, new At(strand.stage(), strand.lane(), 0), strand);
    }

    @Override
    public void delete(long ring, String stage) {
        MemoryRing rows = rings.ring(ring);
        List.copyOf(MemoryRing.of(rows.strands, stage).keySet())
                .forEach(at -> undo.remove(rows.strands, at));
        List.copyOf(MemoryRing.of(rows.claims, stage).keySet())
                .forEach(at -> undo.remove(rows.claims, at));
    }

    @Override
    public long gate(Shape shape, int lane) {
        return rings.ring(shape.id()).strands.values().stream()
                .filter(strand -> strand.lane() == lane)
                .mapToLong(Strand::done)
                .min()
                .orElse(0);
    }

    @Override
    public List<ClaimRow> claims(long ring, String stage) {
        return List.copyOf(MemoryRing.of(rings.ring(ring).claims, stage).values());
    }

    @Override
    public ClaimRow claim(long ring, String stage, int lane, long epoch) {
        return rings.ring(ring).claims.get(new At(stage, lane, epoch));
    }

    @Override
    public ClaimRow firstToExpire(long ring, String stage) {
        return MemoryRing.of(rings.ring(ring).claims, stage).values().stream()
                .min(ClaimRow.FIRST_TO_EXPIRE)
                .orElse(null);
    }

    @Override
    public OptionalLong lowest(long ring, String stage, int lane) {
        return MemoryRing.of(rings.ring(ring).claims, stage, lane, 0, Long.MAX_VALUE)
                .values()
                .stream()
                .mapToLong(ClaimRow::from)
                .min();
    }

    @Override
    public void putClaim(long ring, ClaimRow claim) {
        undo.put(
                rings.ring(ring).claims, new At(claim.stage(), claim.lane(), claim.epoch()), claim);
    }

    @Override
    public void deleteClaim(long ring, ClaimRow claim) {
        At at = new At(claim.stage(), claim.lane(), claim.epoch());
        undo.remove(rings.ring(ring).claims, at);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.graph.Shape;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.ClaimTable;
import dev.slipring.ledger.Strand;
import dev.slipring.sqlite.KnownStage.ClaimKey;
import dev.slipring.sqlite.KnownStage.Key;

import java.util.List;
import java.util.OptionalLong;

/** Stages in lanes and the claims on them: read once, changed in memory, then written. */
final class SqliteStrands implements ClaimTable {

    private final Statements statements;
    private final KnownSequences<Key, KnownStage> known;

    SqliteStrands(Statements statements) {
        this.statements = statements;
        known =
                new KnownSequences<>(
                        statements, key -> KnownStage.read(statements, key.ring(), key.stage()));
    }

    /** What is known of the stages. */
    KnownSequences<Key, KnownStage> known() {
        return known;
    }

    private KnownStage known(long ring, String stage) {
        return known.get(new Key(ring, stage));
    }

    private KnownStage changed(long ring, String stage) {
        return known.change(new Key(ring, stage));
    }

    @Override
    public List<Strand> of(long ring, String stage) {
        return known(ring, stage).strands().all();
    }

    @Override
    public Strand get(long ring, String stage, int lane) {
        return known(ring, stage).strands().get(lane);
    }

    @Override
    public void put(long ring, Strand strand) {
        changed(ring, strand.stage()).strands().put(strand.lane(), strand);
    }

    @Override
    public void delete(long ring, String stage) {
        known.forget(new Key(ring, stage)::equals);
        statements.update(
                "DELETE FROM slipring_sequence WHERE ring = ? AND stage = ?", ring, stage);
    }

    @Override
    public long gate(Shape shape, int lane) {
        return shape.spec().stages().names().stream()
                .map(stage -> done(shape.id(), stage, lane))
                .flatMapToLong(OptionalLong::stream)
                .min()
                .orElse(0);
    }

    /** How far a stage is done; it is not worth to read all its rows for that. */
    private OptionalLong done(long ring, String stage, int lane) {
        KnownStage found = known.peek(new Key(ring, stage));
        if (found == null) {
            return statements.number(
                    "SELECT done FROM slipring_sequence WHERE ring = ? AND stage = ?"
                            + " AND lane = ? AND epoch = 0",
                    ring,
                    stage,
                    lane);
        }
        Strand strand = found.strands().get(lane);
        return strand == null ? OptionalLong.empty() : OptionalLong.of(strand.done());
    }

    @Override
    public List<ClaimRow> claims(long ring, String stage) {
        return known(ring, stage).claims().all();
    }

    @Override
    public ClaimRow claim(long ring, String stage, int lane, long epoch) {
        return known(ring, stage).claims().get(new ClaimKey(lane, epoch));
    }

    @Override
    public ClaimRow firstToExpire(long ring, String stage) {
        return claims(ring, stage).stream().min(ClaimRow.FIRST_TO_EXPIRE).orElse(null);
    }

    @Override
    public OptionalLong lowest(long ring, String stage, int lane) {
        return known(ring, stage)
                .claims()
                .between(new ClaimKey(lane, 0), new ClaimKey(lane, Long.MAX_VALUE))
                .stream()
                .mapToLong(ClaimRow::from)
                .min();
    }

    @Override
    public void putClaim(long ring, ClaimRow claim) {
        changed(ring, claim.stage()).claims().put(new ClaimKey(claim.lane(), claim.epoch()), claim);
    }

    @Override
    public void deleteClaim(long ring, ClaimRow claim) {
        changed(ring, claim.stage()).claims().remove(new ClaimKey(claim.lane(), claim.epoch()));
    }
}

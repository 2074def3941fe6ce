// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.engine.Shape;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.Strand;
import dev.slipring.ledger.StrandTable;
import dev.slipring.sqlite.KnownStage.Place;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Stages in lanes and the claims on them: read once, changed in memory, then written. */
final class SqliteStrands implements StrandTable {

    private static final Comparator<ClaimRow> FIRST_TO_EXPIRE =
            Comparator.comparingLong(ClaimRow::expires).thenComparingLong(ClaimRow::epoch);

    private final Statements statements;
    private final Map<Of, KnownStage> known = new HashMap<>();
    private final Set<KnownStage> changed = new LinkedHashSet<>();
    private long changes;
    private int size;

    SqliteStrands(Statements statements) {
        this.statements = statements;
    }

    /**
     * Names a stage.
     *
     * @param ring the ring's id
     * @param stage the stage
     */
    private record Of(long ring, String stage) {}

    /** How often anything was changed. */
    long changes() {
        return changes;
    }

    /** How many rows were read and changed since everything was forgotten. */
    int size() {
        return size;
    }

    /** Writes what was changed. */
    void write() {
        changed.forEach(stage -> stage.write(statements));
        changed.clear();
    }

    /** Forgets everything, written or not. */
    void forget() {
        known.clear();
        changed.clear();
        size = 0;
    }

    /** Forgets a ring, written or not. */
    void forget(long ring) {
        known.keySet().removeIf(of -> of.ring == ring);
        changed.removeIf(stage -> stage.ring() == ring);
    }

    private KnownStage known(long ring, String stage) {
        return known.computeIfAbsent(new Of(ring, stage), this::read);
    }

    private KnownStage read(Of of) {
        KnownStage found = KnownStage.read(statements, of.ring, of.stage);
        size += 1 + found.strands().size() + found.claims().size();
        return found;
    }

    private KnownStage changed(long ring, String stage) {
        KnownStage found = known(ring, stage);
        changed.add(found);
        changes++;
        size++;
        return found;
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
        changed.remove(known.remove(new Of(ring, stage)));
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
        KnownStage found = known.get(new Of(ring, stage));
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
        return known(ring, stage).claims().get(new Place(lane, epoch));
    }

    @Override
    public ClaimRow firstToExpire(long ring, String stage) {
        return claims(ring, stage).stream().min(FIRST_TO_EXPIRE).orElse(null);
    }

    @Override
    public OptionalLong lowest(long ring, String stage, int lane) {
        return known(ring, stage)
                .claims()
                .between(new Place(lane, 0), new Place(lane, Long.MAX_VALUE))
                .stream()
                .mapToLong(ClaimRow::from)
                .min();
    }

    @Override
    public void putClaim(long ring, ClaimRow claim) {
        changed(ring, claim.stage()).claims().put(new Place(claim.lane(), claim.epoch()), claim);
    }

    @Override
    public void deleteClaim(long ring, String stage, int lane, long epoch) {
        changed(ring, stage).claims().remove(new Place(lane, epoch));
    }
}

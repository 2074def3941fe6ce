// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.graph.Shape;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.ClaimTable;
import dev.slipring.ledger.Strand;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Stages in lanes and the claims on them, in the state of a ring. */
final class JdbcStrands implements ClaimTable {

    private final JdbcRows rows;

    JdbcStrands(JdbcRows rows) {
        this.rows = rows;
    }

    @Override
    public List<Strand> of(long ring, String stage) {
        List<Strand> found = new ArrayList<>();
        for (LaneState lane : rows.state(ring).all()) {
            StrandState ofStage = lane.strand(stage);
            if (ofStage != null) {
                found.add(ofStage.strand());
            }
        }
        return found;
    }

    @Override
    public Strand get(long ring, String stage, int lane) {
        StrandState ofStage = rows.lane(ring, lane).strand(stage);
        return ofStage == null ? null : ofStage.strand();
    }

    @Override
    public void put(long ring, Strand strand) {
        rows.lane(ring, strand.lane()).putStrand(strand);
    }

    @Override
    public void delete(long ring, String stage) {
        rows.work()
                .run(
                        new Script()
                                .run(
                                        "DELETE FROM slipring_strand WHERE ring = ? AND stage = ?",
                                        ring,
                                        stage));
        rows.state(ring).all().forEach(lane -> lane.removeStrand(stage));
    }

    @Override
    public long gate(Shape shape, int lane) {
        return rows.lane(shape.id(), lane).done();
    }

    private Stream<ClaimRow> stream(long ring, String stage) {
        List<ClaimRow> found = new ArrayList<>();
        for (LaneState lane : rows.state(ring).all()) {
            StrandState ofStage = lane.strand(stage);
            if (ofStage != null && !rows.state(ring).skipped().contains(lane.number())) {
                found.addAll(ofStage.claims());
            }
        }
        return found.stream();
    }

    @Override
    public List<ClaimRow> claims(long ring, String stage) {
        return stream(ring, stage).toList();
    }

    @Override
    public ClaimRow claim(long ring, String stage, int lane, long epoch) {
        StrandState ofStage = rows.lane(ring, lane).strand(stage);
        return ofStage == null ? null : ofStage.claim(epoch);
    }

    @Override
    public ClaimRow firstToExpire(long ring, String stage) {
        return stream(ring, stage).min(ClaimRow.FIRST_TO_EXPIRE).orElse(null);
    }

    @Override
    public OptionalLong lowest(long ring, String stage, int lane) {
        StrandState ofStage = rows.lane(ring, lane).strand(stage);
        return ofStage == null ? OptionalLong.empty() : ofStage.lowest();
    }

    @Override
    public void putClaim(long ring, ClaimRow claim) {
        rows.lane(ring, claim.lane()).putClaim(claim);
    }

    @Override
    public void deleteClaim(long ring, ClaimRow claim) {
        rows.lane(ring, claim.lane()).removeClaim(claim);
    }
}

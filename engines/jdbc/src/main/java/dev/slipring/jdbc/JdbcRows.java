// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.NoSuchRing;
import dev.slipring.ShapeConflict;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.Shape;
import dev.slipring.ledger.AsideTable;
import dev.slipring.ledger.ClaimTable;
import dev.slipring.ledger.RingTable;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.SlotTable;

import java.util.function.Function;

/** The rows of one unit of work: read when asked for, written back at its end. */
final class JdbcRows implements Rows {

    private final Work work;
    private final JdbcRings rings;
    private final JdbcLanes lanes;
    private final JdbcStrands strands;
    private final JdbcAside aside;
    private RingState state;
    private Shape shape;
    private long now;

    JdbcRows(Work work, Memo memo) {
        this.work = work;
        rings = new JdbcRings(this, memo);
        lanes = new JdbcLanes(this, memo);
        strands = new JdbcStrands(this);
        aside = new JdbcAside(this);
    }

    Work work() {
        return work;
    }

    /** Everything from here on is about this ring. */
    void uses(Shape used, RingState itsState) {
        if (state == null || state.ring() != used.id()) {
            state = itsState;
        }
        shape = used;
    }

    Shape shape() {
        return shape;
    }

    RingState state(long ring) {
        if (state == null || state.ring() != ring) {
            throw new IllegalStateException("ring " + ring + " was not asked for by its name");
        }
        return state;
    }

    /** A lane with all that is known of it. */
    LaneState lane(long ring, int lane) {
        RingState of = state(ring);
        if (!of.holds(lane)) {
            of.all();
        }
        return of.lane(lane);
    }

    /**
     * Does work on these rows. If it relied on something stale, it begins anew; also where it
     * missed a stage, which may have been added meanwhile, or a lane, or found a ring in another
     * shape: that may have been dropped, and made anew.
     */
    <T> T verified(Function<Rows, T> work) {
        try {
            T result = work.apply(this);
            verify();
            return result;
        } catch (NoSuchStage | NoSuchRing | ShapeConflict refused) {
            verify();
            throw refused;
        }
    }

    /** What writes back the changes. Work that relied on something stale begins anew. */
    Script changes() {
        Script script = new Script();
        if (state != null) {
            new Writing(state, lanes).addTo(script);
        }
        return script;
    }

    /** Makes sure that what this work relied on still holds. */
    private void verify() {
        if (state != null && !state.isVerified()) {
            Script script = new Script();
            state.verify(script, Lock.NONE);
            work.look(script);
            state.checkVersion();
        }
    }

    /** Remembers what was changed, now that it is committed. */
    void committed() {
        rings.committed();
        lanes.committed();
    }

    @Override
    public long now() {
        if (state != null && state.now() != 0) {
            return state.now();
        }
        if (now == 0) {
            work.look(
                    new Script()
                            .read("SELECT " + work.dialect().now(), row -> now = row.getLong(1)));
        }
        return now;
    }

    @Override
    public void hold(long ring, int lane) {
        state(ring).hold(lane);
    }

    @Override
    public boolean take(long ring, int lane) {
        return state(ring).take(lane);
    }

    @Override
    public boolean leftOut(long ring) {
        return !state(ring).skipped().isEmpty();
    }

    @Override
    public void holdAll(long ring) {
        state(ring).holdAll();
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

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.Shape;
import dev.slipring.graph.Stages;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Which stage may see which message: a stage sees a position after all that it follows are past it,
 * unless one of its ancestors keeps the message; then it sees it when the last of them is done with
 * it.
 */
final class FollowRule {

    private FollowRule() {}

    /** How far a stage may claim in a lane. */
    static long limit(Rows rows, Shape shape, String stage, LaneRow lane) {
        long limit = lane.head();
        for (String followed : shape.spec().stages().after(stage)) {
            limit = Math.min(limit, rows.strands().get(shape.id(), followed, lane.lane()).high());
        }
        return limit;
    }

    /**
     * The positions of a range, counted from its begin, that the stage must not see, or not that
     * way.
     */
    static BitSet kept(Rows rows, Shape shape, Strand strand, long from, long to) {
        BitSet kept = new BitSet();
        Set<String> ancestors = shape.spec().stages().ancestors(strand.stage());
        List<String> keeping =
                ancestors.stream()
                        .filter(name -> rows.strands().get(shape.id(), name, strand.lane()).keeps())
                        .toList();
        mark(kept, from, positions(rows, shape, keeping, strand.lane(), from, to, true));
        if (strand.keeps()) {
            mark(
                    kept,
                    from,
                    positions(
                            rows, shape, List.of(strand.stage()), strand.lane(), from, to, false));
        }
        return kept;
    }

    /**
     * Hands a message that a stage kept, and keeps no more, to the stages that follow and have
     * passed it.
     */
    static void release(Rows rows, Shape shape, AsideRow row) {
        if (row.blocks()) {
            for (String follower : shape.spec().stages().followers(row.stage())) {
                arrive(rows, shape, follower, row);
            }
        }
    }

    /** Hands a message to a stage that has passed it, if no ancestor keeps it any more. */
    static void arrive(Rows rows, Shape shape, String follower, AsideRow row) {
        Strand strand = rows.strands().get(shape.id(), follower, row.lane());
        boolean passed = row.position() < strand.claimed() && row.position() >= strand.start();
        Stages stages = shape.spec().stages();
        if (passed
                && !isKept(rows, shape, stages.ancestors(follower), row)
                && rows.aside().get(shape.id(), follower, row.lane(), row.position()) == null) {
            rows.aside().put(shape.id(), row.arrivingAt(follower, rows.now()));
            rows.strands().put(shape.id(), strand.kept(1, 0, 0, row.message().length));
        }
    }

    /** Whether a stage below has yet to come to a position. */
    static boolean isAwaited(Rows rows, Shape shape, AsideRow row) {
        Stages stages = shape.spec().stages();
        return row.blocks()
                && stages.names().stream()
                        .filter(name -> stages.ancestors(name).contains(row.stage()))
                        .anyMatch(
                                name ->
                                        rows.strands().get(shape.id(), name, row.lane()).claimed()
                                                <= row.position());
    }

    private static boolean isKept(Rows rows, Shape shape, Set<String> stages, AsideRow row) {
        return !positions(
                        rows,
                        shape,
                        new ArrayList<>(stages),
                        row.lane(),
                        row.position(),
                        row.position() + 1,
                        true)
                .isEmpty();
    }

    private static List<Long> positions(
            Rows rows,
            Shape shape,
            List<String> stages,
            int lane,
            long from,
            long to,
            boolean blockingOnly) {
        return stages.isEmpty()
                ? List.of()
                : rows.aside().positions(shape.id(), stages, lane, from, to, blockingOnly);
    }

    private static void mark(BitSet kept, long from, List<Long> positions) {
        positions.forEach(position -> kept.set((int) (position - from)));
    }
}

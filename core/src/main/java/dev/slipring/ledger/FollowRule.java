// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.Shape;
import dev.slipring.graph.Stages;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which stage may see which message. A stage sees a message once all stages that it follows have
 * passed its position. If an ancestor keeps the message, the stage sees it when the last ancestor
 * that does is done with it.
 */
final class FollowRule {

    private FollowRule() {}

    /** How far a stage may claim in a lane. */
    static long limit(RingRows rows, Shape shape, String stage, LaneRow lane) {
        long limit = lane.head();
        for (String followed : shape.spec().stages().ancestors(stage)) {
            limit = Math.min(limit, rows.strands().there(shape, followed, lane.lane()).high());
        }
        return limit;
    }

    /**
     * The positions of a range, counted from its beginning, that a claim of the range must leave
     * out: an ancestor keeps the message, or the stage has it in a row of its own.
     */
    static BitSet kept(RingRows rows, Shape shape, Strand strand, LaneRange range) {
        BitSet kept = new BitSet();
        keptAt(rows, shape, strand, range)
                .forEach(position -> kept.set((int) (position - range.from())));
        return kept;
    }

    /** How many messages of a range are not left out by a claim of it. */
    static long claimable(RingRows rows, Shape shape, Strand strand, LaneRange range) {
        return range.to() - range.from() - Set.copyOf(keptAt(rows, shape, strand, range)).size();
    }

    /** The positions that a claim of a range must leave out; some may be there twice. */
    private static List<Long> keptAt(RingRows rows, Shape shape, Strand strand, LaneRange range) {
        List<Long> kept = new ArrayList<>();
        Set<String> ancestors = shape.spec().stages().ancestors(strand.stage());
        List<String> keeping =
                ancestors.stream()
                        .filter(name -> rows.strands().there(shape, name, strand.lane()).keeps())
                        .toList();
        if (!keeping.isEmpty()) {
            kept.addAll(rows.aside().blocked(shape.id(), keeping, range));
        }
        if (strand.keeps()) {
            kept.addAll(rows.aside().positions(shape.id(), List.of(strand.stage()), range));
        }
        return kept;
    }

    /**
     * Hands a message that a stage kept, and keeps no more, to the stages that follow and have
     * passed it.
     */
    static void release(RingRows rows, Shape shape, AsideRow row) {
        if (row.blocks()) {
            arrive(rows, shape, shape.spec().stages().followers(row.stage()), row);
        }
    }

    /**
     * Hands a message to stages that have passed it, if no ancestor keeps it any more. Each comes
     * behind its ancestors, as these may keep the message from now on.
     */
    static void arrive(RingRows rows, Shape shape, List<String> followers, AsideRow row) {
        Stages stages = shape.spec().stages();
        List<String> reached = reached(rows, shape, followers, row);
        reached.sort(Comparator.comparingInt(stage -> stages.ancestors(stage).size()));
        reached.forEach(stage -> arrive(rows, shape, stage, row));
    }

    /**
     * The stages next below whose affair a message is: in the place of a stage that began behind
     * it, those that follow that one.
     */
    static List<String> reached(RingRows rows, Shape shape, List<String> followers, AsideRow row) {
        Set<String> seen = new HashSet<>();
        Deque<String> next = new ArrayDeque<>(followers);
        List<String> reached = new ArrayList<>();
        while (!next.isEmpty()) {
            String stage = next.poll();
            if (!seen.add(stage)) {
                continue;
            }
            if (row.position() < rows.strands().there(shape, stage, row.lane()).start()) {
                next.addAll(shape.spec().stages().followers(stage));
            } else {
                reached.add(stage);
            }
        }
        return reached;
    }

    private static void arrive(RingRows rows, Shape shape, String follower, AsideRow row) {
        Strand strand = rows.strands().there(shape, follower, row.lane());
        Stages stages = shape.spec().stages();
        // Else the stage will still come to the position, as one does that began late and was
        // rewound.
        LaneRow lane = rows.lanes().there(shape, row.lane());
        Set<String> ancestors = stages.ancestors(follower);
        boolean passed =
                row.position() < Math.max(strand.claimed(), strand.high())
                        && row.position() < limit(rows, shape, follower, lane);
        if (passed
                && rows.aside().blocked(shape.id(), ancestors, row.place()).isEmpty()
                && rows.aside().get(shape.id(), follower, row.lane(), row.position()) == null) {
            rows.aside().put(shape.id(), row.arrivingAt(follower, rows.now()));
            rows.strands().put(shape.id(), strand.kept(1, 0, 0, row.message().length));
        }
    }

    /**
     * Forgets rows of messages that arrived late at a stage, if the stage will come to their
     * positions again because what it had claimed went back.
     */
    static Strand comeBy(RingRows rows, Shape shape, Strand strand) {
        if (strand.waiting() == 0) {
            return strand;
        }
        long from = Math.max(strand.claimed(), strand.high());
        Strand fewer = strand;
        for (AsideHead head :
                rows.aside()
                        .heads(shape.id(), strand.stage(), strand.lane(), AsideRow.State.WAITING)) {
            AsideRow row = head.row();
            if (row.position() >= from && row.attempts() == 0 && row.epoch() == 0) {
                rows.aside().delete(shape.id(), row);
                fewer = fewer.kept(-1, 0, 0, -head.bytes());
            }
        }
        return fewer;
    }
}

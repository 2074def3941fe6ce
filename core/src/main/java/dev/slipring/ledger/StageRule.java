// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.Change;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Stages;
import dev.slipring.graph.Start;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Stages that join, change, pause, rewind and leave a living ring. */
final class StageRule {

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private StageRule() {}

    static long add(RingRows rows, Shape shape, Change.AddStage change) {
        Stages stages = shape.spec().stages().with(change.stage(), change.after());
        Shape after = update(rows, shape, stages, shape.paused());
        for (LaneRow lane : rows.lanes().whole(shape)) {
            long position = position(rows, shape, lane, change.start());
            rows.strands()
                    .put(
                            shape.id(),
                            Strand.at(
                                    change.stage().name(),
                                    lane.lane(),
                                    position,
                                    Epochs.before(after)));
            GateRule.update(rows, after, lane.lane());
        }
        return 1;
    }

    static long redeclare(RingRows rows, Shape shape, Change.RedeclareStage change) {
        StageSpec wanted = change.stage();
        StageSpec found = shape.spec().stages().get(wanted.name());
        if (found.mode() != wanted.mode()) {
            throw new IllegalArgumentException(
                    "stage '"
                            + found.name()
                            + "' was made "
                            + found.mode().name().toLowerCase(Locale.ROOT)
                            + " and stays so; add another stage, and remove this one");
        }
        boolean changed = !found.equals(wanted);
        if (changed) {
            update(rows, shape, shape.spec().stages().replacing(wanted), shape.paused());
        }
        return changed ? 1 : 0;
    }

    static long pause(RingRows rows, Shape shape, Change.Pause change) {
        shape.spec().stages().get(change.stage());
        Set<String> paused = new HashSet<>(shape.paused());
        boolean changed =
                change.paused() ? paused.add(change.stage()) : paused.remove(change.stage());
        if (changed) {
            update(rows, shape, shape.spec().stages(), paused);
        }
        return changed ? 1 : 0;
    }

    /** Returns how many messages the stage will see again. */
    static long rewind(RingRows rows, Shape shape, Change.Rewind change) {
        shape.spec().stages().get(change.stage());
        if (change.start().at() == Start.At.NEWEST) {
            throw new IllegalArgumentException(
                    "a stage is rewound to the oldest message or to a time, not to the newest");
        }
        long again = 0;
        List<ClaimRow> claims = rows.strands().claims(shape.id(), change.stage());
        claims.forEach(claim -> rows.strands().deleteClaim(shape.id(), claim));
        for (Strand strand : rows.strands().of(shape.id(), change.stage())) {
            LaneRow lane = rows.lanes().there(shape, strand.lane());
            long position = Math.min(strand.done(), position(rows, shape, lane, change.start()));
            rows.strands().put(shape.id(), strand.rewound(position));
            takeBack(rows, shape, strand);
            forgetPassed(rows, shape, strand);
            again += claimable(rows, shape, strand, position);
            GateRule.update(rows, shape, strand.lane());
        }
        return again;
    }

    /**
     * How many messages that a rewound stage had claimed it may claim again. Those that it keeps,
     * or a stage before it, are not among them: they wait for their retries as before.
     */
    private static long claimable(RingRows rows, Shape shape, Strand before, long position) {
        Strand now = rows.strands().there(shape, before.stage(), before.lane());
        LaneRange again = new LaneRange(before.lane(), position, before.claimed());
        return FollowRule.claimable(rows, shape, now, again);
    }

    /** What an earlier generation did is seen again. */
    private static void forgetPassed(RingRows rows, Shape shape, Strand strand) {
        if (strand.dropped() > 0) {
            List<AsideRow> passed =
                    heads(rows, shape, strand, AsideRow.State.DROPPED)
                            .filter(row -> !row.blocks())
                            .toList();
            passed.forEach(row -> rows.aside().delete(shape.id(), row));
            Strand now = rows.strands().there(shape, strand.stage(), strand.lane());
            rows.strands().put(shape.id(), now.kept(0, 0, -passed.size(), 0));
        }
    }

    /** Takes retries out of workers' hands. */
    private static void takeBack(RingRows rows, Shape shape, Strand strand) {
        if (strand.waiting() > 0) {
            heads(rows, shape, strand, AsideRow.State.WAITING)
                    .filter(row -> row.epoch() != 0)
                    .forEach(
                            row ->
                                    rows.aside()
                                            .put(
                                                    shape.id(),
                                                    row.waiting(row.attempts() - 1, rows.now())));
        }
    }

    private static Stream<AsideRow> heads(
            RingRows rows, Shape shape, Strand strand, AsideRow.State state) {
        return rows.aside().heads(shape.id(), strand.stage(), strand.lane(), state).stream()
                .map(AsideHead::row);
    }

    /** Returns how many messages set aside or dead went with the stage. */
    static long remove(RingRows rows, Shape shape, Change.RemoveStage change) {
        Stages before = shape.spec().stages();
        Stages stages = before.without(change.stage());
        Set<String> paused = new HashSet<>(shape.paused());
        paused.remove(change.stage());
        long epochs =
                rows.strands().of(shape.id(), change.stage()).stream()
                        .mapToLong(Strand::epoch)
                        .max()
                        .orElse(0);
        rows.strands().delete(shape.id(), change.stage());
        // So that a stage of the same name that comes later begins above all its epochs.
        long version = Math.max(shape.version(), Epochs.version(epochs)) + 1;
        Shape after = update(rows, shape, version, stages, paused);
        long[] gone = {0};
        for (AsideRow.State state : AsideRow.State.values()) {
            AsidePages.all(rows, shape, change.stage(), state)
                    .forEach(
                            row -> {
                                gone[0] += state == AsideRow.State.DROPPED ? 0 : 1;
                                if (row.blocks()) {
                                    inherit(rows, after, before.followers(change.stage()), row);
                                }
                            });
        }
        rows.aside().deleteAll(shape.id(), change.stage());
        for (LaneRow lane : rows.lanes().whole(shape)) {
            GateRule.update(rows, after, lane.lane());
            GateRule.letGo(rows, after, lane.lane());
        }
        return gone[0];
    }

    private static void inherit(RingRows rows, Shape shape, List<String> followers, AsideRow row) {
        if (row.state() == AsideRow.State.DROPPED) {
            FollowRule.reached(rows, shape, followers, row)
                    .forEach(follower -> keepFrom(rows, shape, follower, row));
        } else {
            FollowRule.arrive(rows, shape, followers, row);
        }
    }

    /** A dropped message does not come to a stage any more. */
    private static void keepFrom(RingRows rows, Shape shape, String follower, AsideRow row) {
        if (rows.aside().get(shape.id(), follower, row.lane(), row.position()) == null) {
            Strand strand = rows.strands().there(shape, follower, row.lane());
            rows.aside().put(shape.id(), row.droppedFor(follower, true));
            rows.strands().put(shape.id(), strand.kept(0, 0, 1, 0));
        }
    }

    private static long position(RingRows rows, Shape shape, LaneRow lane, Start start) {
        return switch (start.at()) {
            case OLDEST -> rows.lanes().oldest(shape.id(), lane.lane()).orElse(lane.head());
            case NEWEST -> lane.head();
            case TIME ->
                    rows.lanes()
                            .pushedSince(shape.id(), lane.lane(), millis(start.time()))
                            .orElse(lane.head());
        };
    }

    /** A time as stores keep it; nothing is pushed before the first or after the last of these. */
    private static long millis(Instant time) {
        Instant begun = time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time;
        return (begun.isAfter(LAST) ? LAST : begun).toEpochMilli();
    }

    private static Shape update(RingRows rows, Shape shape, Stages stages, Set<String> paused) {
        return update(rows, shape, shape.version() + 1, stages, paused);
    }

    private static Shape update(
            RingRows rows, Shape shape, long version, Stages stages, Set<String> paused) {
        RingSpec old = shape.spec();
        Shape changed =
                new Shape(
                        shape.id(),
                        version,
                        new RingSpec(old.name(), old.lanes(), old.messages(), old.bytes(), stages),
                        paused);
        rows.rings().update(changed);
        return changed;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.Message;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Whether the messages that a stage keeps in rows of their own can be, and are all there. */
final class AsideAudit {

    private final RingRows rows;
    private final Shape shape;
    private final Map<Integer, LaneRow> lanes;
    private final String stage;
    private final KeptMessages kept;
    private final List<String> broken = new ArrayList<>();
    private long bytes;

    AsideAudit(
            RingRows rows,
            Shape shape,
            Map<Integer, LaneRow> lanes,
            String stage,
            KeptMessages kept) {
        this.rows = rows;
        this.shape = shape;
        this.lanes = lanes;
        this.stage = stage;
        this.kept = kept;
    }

    /** What is broken, in words. */
    List<String> findings() {
        Map<Integer, Strand> strands = new HashMap<>();
        rows.strands().of(shape.id(), stage).forEach(each -> strands.put(each.lane(), each));
        Map<AsideRow.State, Map<Integer, Long>> found = new HashMap<>();
        for (AsideRow.State state : AsideRow.State.values()) {
            Map<Integer, Long> byLane = new HashMap<>();
            found.put(state, byLane);
            AsidePages.all(rows, shape, stage, state)
                    .forEach(
                            row -> {
                                byLane.merge(row.lane(), 1L, Long::sum);
                                row(row, strands.get(row.lane()));
                            });
        }
        for (Strand strand : strands.values()) {
            count(strand, AsideRow.State.WAITING, found, strand.waiting());
            count(strand, AsideRow.State.DEAD, found, strand.dead());
            count(strand, AsideRow.State.DROPPED, found, strand.dropped());
        }
        limit(strands.values());
        return broken;
    }

    /**
     * A stage that keeps too many bytes claims nothing new. A few more or less than there are do no
     * harm: one row that was damaged may have made the difference.
     */
    private void limit(Collection<Strand> strands) {
        long counted = strands.stream().mapToLong(Strand::keptBytes).sum();
        long most = shape.spec().bytes();
        if (counted < 0 || counted >= most && bytes < most) {
            broken.add(
                    "stage '"
                            + stage
                            + "': it counts "
                            + counted
                            + " bytes of messages waiting or dead, which have "
                            + bytes
                            + "; at "
                            + most
                            + " it claims nothing new");
        }
    }

    private void expect(boolean holds, int lane, String otherwise) {
        if (!holds) {
            broken.add(StrandAudit.name(stage, lane) + ": " + otherwise);
        }
    }

    private void count(
            Strand strand,
            AsideRow.State state,
            Map<AsideRow.State, Map<Integer, Long>> all,
            long expected) {
        long found = all.get(state).getOrDefault(strand.lane(), 0L);
        expect(
                found == expected,
                strand.lane(),
                found
                        + " messages are "
                        + state.name().toLowerCase(Locale.ROOT)
                        + ", not "
                        + expected);
    }

    private void row(AsideRow row, Strand strand) {
        if (row.state() == AsideRow.State.DROPPED) {
            return;
        }
        bytes += row.message().length;
        message(row);
        LaneRow lane = lanes.get(row.lane());
        if (strand != null && lane != null) {
            place(row, strand, lane);
        }
    }

    private void place(AsideRow row, Strand strand, LaneRow lane) {
        expectOf(
                row,
                row.position() >= strand.start() && row.position() < lane.head(),
                "is not between where the stage started, "
                        + strand.start()
                        + ", and the head, "
                        + lane.head());
        boolean inHand = row.state() == AsideRow.State.WAITING && row.epoch() <= strand.epoch();
        expectOf(
                row,
                row.epoch() == 0 || inHand && row.epoch() > 0,
                "is in hand under epoch " + row.epoch() + ", which is none");
        expectOf(row, row.attempts() >= 0, "had " + row.attempts() + " attempts");
        expectOf(
                row,
                row.blocks() || row.position() < strand.high(),
                "is not kept from the stages that follow, which it should be from "
                        + strand.high()
                        + " on");
    }

    private void expectOf(AsideRow row, boolean holds, String otherwise) {
        expect(
                holds,
                row.lane(),
                "the message kept for " + row.lane() + "-" + row.position() + " " + otherwise);
    }

    private void message(AsideRow row) {
        try {
            boolean one = SlotCodec.count(row.message()) == 1;
            Message message = SlotCodec.decode(row.message(), 0);
            expectOf(row, one, "cannot be read");
            kept.add(row, message);
        } catch (IllegalArgumentException e) {
            expectOf(row, false, "cannot be read");
        }
    }
}

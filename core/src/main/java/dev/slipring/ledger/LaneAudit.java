// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.Message;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.List;

/** Whether the slots of a lane stand right, and its sequences where they should. */
final class LaneAudit implements LaneTable.SlotReader {

    private final RingRows rows;
    private final Shape shape;
    private final LaneRow lane;
    private final KeptMessages kept;
    private final List<String> broken = new ArrayList<>();

    private final long oldest;

    /**
     * Where the next slot should begin: where the one before ended, at first where the oldest is.
     */
    private long next;

    private boolean isFirst = true;
    private long bytes;
    private boolean beginsBehindGap;
    private boolean hasGap;

    LaneAudit(RingRows rows, Shape shape, LaneRow lane, KeptMessages kept) {
        this.rows = rows;
        this.shape = shape;
        this.lane = lane;
        this.kept = kept;
        oldest = rows.lanes().oldest(shape.id(), lane.lane()).orElse(lane.head());
        next = oldest;
    }

    /** What is broken, in words. */
    List<String> findings() {
        rows.lanes().each(shape.id(), lane.lane(), this);
        expect(
                oldest <= lane.gate() || beginsBehindGap,
                "the gate is at " + lane.gate() + ", the oldest slot at " + oldest);
        expect(next >= lane.head(), lost(lane.head()));
        expect(next <= lane.head(), "the slots end at " + next + ", the head is at " + lane.head());
        // The bytes of pushes that were rolled back in a gap are counted too, and nobody knows how
        // many they are.
        expect(
                bytes == lane.bytes() || hasGap && bytes < lane.bytes(),
                "the slots have " + bytes + " bytes, not " + lane.bytes());
        long gate = rows.strands().gate(shape, lane.lane());
        expect(
                gate == lane.gate(),
                "the gate is at " + lane.gate() + ", the slowest stage at " + gate);
        return broken;
    }

    private void expect(boolean holds, String otherwise) {
        if (!holds) {
            broken.add("lane " + lane.lane() + ": " + otherwise);
        }
    }

    @Override
    public void wrong(String words) {
        expect(false, words);
    }

    @Override
    public void slot(SlotRow slot) {
        boolean behindGap = rows.lanes().isBehindGap(slot);
        hasGap |= behindGap;
        beginsBehindGap |= behindGap && isFirst;
        isFirst = false;
        expect(slot.first() <= next || behindGap, lost(slot.first()));
        expect(slot.first() >= next, "a slot begins at " + slot.first() + ", not at " + next);
        next = slot.end();
        bytes += slot.body().length;
        readable(slot);
        expect(
                slot.end() > lane.gate(),
                "the slot at " + slot.first() + " is below the gate at " + lane.gate());
    }

    private String lost(long until) {
        return "the messages from " + next + " to " + (until - 1) + " are not there";
    }

    private void readable(SlotRow slot) {
        try {
            int there = SlotCodec.count(slot.body());
            expect(
                    there == slot.count(),
                    "the slot at " + slot.first() + " does not hold " + slot.count() + " messages");
            for (int i = 0; i < Math.min(there, slot.count()); i++) {
                compare(slot.first() + i, SlotCodec.decode(slot.body(), i));
            }
        } catch (IllegalArgumentException e) {
            wrong("the slot at " + slot.first() + " cannot be read: " + e.getMessage());
        }
    }

    private void compare(long position, Message message) {
        if (kept.has(lane.lane(), position)) {
            for (String stage : kept.others(lane.lane(), position, message)) {
                broken.add(
                        StrandAudit.name(stage, lane.lane())
                                + ": the message kept for "
                                + lane.lane()
                                + "-"
                                + position
                                + " is another one than its slot has");
            }
        }
    }
}

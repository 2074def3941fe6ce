// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.NoSuchRing;
import dev.slipring.RingFull;
import dev.slipring.engine.Slot;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;

import java.util.List;

/** Room, positions, and a producer's number: how slots come into a ring. */
public final class PushRule {

    private PushRule() {}

    /** Appends the slots, or throws; a push that the producer has made already changes nothing. */
    static void push(Rows rows, Shape shape, List<Slot> pushed) {
        checkLanes(shape.spec(), pushed);
        List<Slot> slots = rows.lanes().place(shape, pushed);
        Slot any = slots.get(0);
        if (any.producer() != 0
                && rows.lanes().pushed(shape.id(), any.producer()) >= any.number()) {
            return;
        }
        List<LaneRow> lanes = rows.lanes().whole(shape);
        checkRoom(shape.spec(), lanes, slots);
        long now = rows.now();
        for (Slot slot : slots) {
            LaneRow lane = lanes.get(slot.lane());
            rows.lanes()
                    .append(
                            shape.id(),
                            new SlotRow(
                                    slot.lane(),
                                    lane.head(),
                                    slot.count(),
                                    slot.producer(),
                                    slot.number(),
                                    now,
                                    slot.body()));
            LaneRow longer =
                    new LaneRow(
                            lane.lane(),
                            lane.head() + slot.count(),
                            lane.gate(),
                            lane.bytes() + slot.body().length);
            lanes.set(slot.lane(), longer);
            rows.lanes().put(shape.id(), longer);
        }
        if (any.producer() != 0) {
            rows.lanes().putPushed(shape.id(), any.producer(), any.number());
        }
    }

    private static void checkLanes(RingSpec spec, List<Slot> slots) {
        for (Slot slot : slots) {
            if (slot.lane() >= spec.lanes()) {
                throw new NoSuchRing(
                        "no lane "
                                + slot.lane()
                                + " in a ring of "
                                + spec.lanes()
                                + "; it was dropped and made anew: open it again");
            }
        }
    }

    private static void checkRoom(RingSpec spec, List<LaneRow> lanes, List<Slot> slots) {
        long messages = slots.stream().mapToLong(Slot::count).sum();
        long bytes = slots.stream().mapToLong(slot -> slot.body().length).sum();
        long freeMessages = spec.messages() - lanes.stream().mapToLong(LaneRow::held).sum();
        long freeBytes = spec.bytes() - lanes.stream().mapToLong(LaneRow::bytes).sum();
        if (messages > freeMessages || bytes > freeBytes) {
            throw full(spec, messages, bytes, freeMessages, freeBytes);
        }
    }

    /** The refusal of a push of so many messages and bytes, and how many would have had room. */
    public static RingFull full(
            RingSpec spec, long messages, long bytes, long freeMessages, long freeBytes) {
        boolean never = messages > spec.messages() || bytes > spec.bytes();
        // A ring that was made smaller holds more than it may.
        long free = Math.max(freeMessages, 0);
        long freeOfBytes = Math.max(freeBytes, 0);
        return new RingFull(
                "ring '"
                        + spec.name()
                        + (never ? "' is too small for this push" : "' is full")
                        + ": room for "
                        + free
                        + " of "
                        + spec.messages()
                        + " messages and "
                        + freeOfBytes
                        + " of "
                        + spec.bytes()
                        + " bytes, but the push needs "
                        + messages
                        + " and "
                        + bytes,
                free,
                freeOfBytes);
    }
}

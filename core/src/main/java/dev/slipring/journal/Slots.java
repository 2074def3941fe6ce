// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.Message;
import dev.slipring.engine.Lanes;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes slots of messages: one per lane, or more where one would be too large. */
public final class Slots {

    /** A slot that large is not made larger. */
    private static final long MAX_BYTES = 1 << 20;

    private static final int MAX_MESSAGES = 4_096;

    private Slots() {}

    /**
     * Slots of messages.
     *
     * @param lanes how many lanes the ring has
     * @param lane the lane of messages without a key
     */
    public static List<Slot> of(
            List<Message> messages, int lanes, int lane, long producer, long number) {
        List<Slot> slots = new ArrayList<>();
        byLane(messages, lanes, lane)
                .forEach(
                        (of, all) -> {
                            for (List<Message> part : parts(all)) {
                                byte[] body = SlotCodec.encode(part);
                                slots.add(new Slot(of, producer, number, part.size(), body));
                            }
                        });
        return slots;
    }

    private static Map<Integer, List<Message>> byLane(List<Message> messages, int lanes, int lane) {
        if (lanes == 1 || !hasKeys(messages)) {
            return Map.of(lane, messages);
        }
        Map<Integer, List<Message>> byLane = new TreeMap<>();
        for (Message message : messages) {
            int of = message.key() == null ? lane : Lanes.of(message.key(), lanes);
            byLane.computeIfAbsent(of, any -> new ArrayList<>()).add(message);
        }
        return byLane;
    }

    private static boolean hasKeys(List<Message> messages) {
        for (Message message : messages) {
            if (message.key() != null) {
                return true;
            }
        }
        return false;
    }

    private static List<List<Message>> parts(List<Message> all) {
        List<List<Message>> parts = new ArrayList<>();
        int start = 0;
        long bytes = 0;
        for (int i = 0; i < all.size(); i++) {
            long size = SlotCodec.size(all.get(i));
            if (i > start && (bytes + size > MAX_BYTES || i - start == MAX_MESSAGES)) {
                parts.add(all.subList(start, i));
                start = i;
                bytes = 0;
            }
            bytes += size;
        }
        parts.add(all.subList(start, all.size()));
        return parts;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.Message;
import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What stages keep in rows of their own while the slot of the message is still held, so that the
 * two can be compared; of each message only a hash.
 */
final class KeptMessages {

    private final RingRows rows;
    private final Shape shape;
    private final Map<Integer, Long> oldest = new HashMap<>();
    private final Map<Integer, Map<Long, List<Kept>>> byLane = new HashMap<>();

    /** A message that a stage keeps. */
    private record Kept(String stage, int hash) {}

    KeptMessages(RingRows rows, Shape shape) {
        this.rows = rows;
        this.shape = shape;
    }

    /** Adds what a row keeps. */
    void add(AsideRow row, Message message) {
        long from = oldest.computeIfAbsent(row.lane(), this::oldest);
        if (row.position() >= from) {
            byLane.computeIfAbsent(row.lane(), lane -> new HashMap<>())
                    .computeIfAbsent(row.position(), position -> new ArrayList<>(1))
                    .add(new Kept(row.stage(), hash(message)));
        }
    }

    private long oldest(int lane) {
        return rows.lanes().oldest(shape.id(), lane).orElse(Long.MAX_VALUE);
    }

    /** Whether any is kept of what stands at a position. */
    boolean has(int lane, long position) {
        return byLane.getOrDefault(lane, Map.of()).containsKey(position);
    }

    /** The stages that keep another message than the one that stands at the position. */
    List<String> others(int lane, long position, Message message) {
        int hash = hash(message);
        return byLane.getOrDefault(lane, Map.of()).getOrDefault(position, List.of()).stream()
                .filter(kept -> kept.hash() != hash)
                .map(Kept::stage)
                .toList();
    }

    private static int hash(Message message) {
        return Objects.hash(Arrays.hashCode(message.body()), message.key(), message.headers());
    }
}

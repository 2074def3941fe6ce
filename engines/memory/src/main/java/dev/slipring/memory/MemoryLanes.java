// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.SlotRow;
import dev.slipring.ledger.SlotTable;
import dev.slipring.memory.MemoryRing.At;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;

/** Lanes, slots and producers in memory. */
final class MemoryLanes implements SlotTable {

    private final MemoryRings rings;
    private final UndoLog undo;

    MemoryLanes(MemoryRings rings, UndoLog undo) {
        this.rings = rings;
        this.undo = undo;
    }

    @Override
    public List<LaneRow> all(long ring) {
        return new ArrayList<>(rings.ring(ring).lanes.values());
    }

    @Override
    public LaneRow get(long ring, int lane) {
        return rings.ring(ring).lanes.get(lane);
    }

    @Override
    public void put(long ring, LaneRow lane) {
        undo.put(rings.ring(ring).lanes, lane.lane(), lane);
    }

    @Override
    public void append(long ring, SlotRow slot) {
        undo.put(rings.ring(ring).slots, new At("", slot.lane(), slot.first()), slot);
    }

    @Override
    public List<SlotRow> slots(long ring, LaneRange range, long maxBytes) {
        NavigableMap<At, SlotRow> slots = slots(ring, range.lane());
        At first = slots.floorKey(new At("", range.lane(), range.from()));
        List<SlotRow> found = new ArrayList<>();
        long bytes = 0;
        if (first != null) {
            for (SlotRow slot : slots.tailMap(first, true).values()) {
                if (slot.first() >= range.to() || bytes >= maxBytes) {
                    break;
                }
                if (slot.end() > range.from()) {
                    found.add(slot);
                    bytes += slot.body().length;
                }
            }
        }
        return found;
    }

    @Override
    public long release(long ring, int lane, long below) {
        long bytes = 0;
        for (Map.Entry<At, SlotRow> entry = slots(ring, lane).firstEntry();
                entry != null && entry.getValue().end() <= below;
                entry = slots(ring, lane).firstEntry()) {
            bytes += undo.remove(rings.ring(ring).slots, entry.getKey()).body().length;
        }
        return bytes;
    }

    @Override
    public OptionalLong oldest(long ring, int lane) {
        return slots(ring, lane).values().stream().mapToLong(SlotRow::first).findFirst();
    }

    @Override
    public OptionalLong pushedSince(long ring, int lane, long time) {
        return slots(ring, lane).values().stream()
                .filter(slot -> slot.pushedAt() >= time)
                .mapToLong(SlotRow::first)
                .findFirst();
    }

    @Override
    public OptionalLong pushedAt(long ring, int lane, long position) {
        return slots(ring, new LaneRange(lane, position, position + 1), 1).stream()
                .mapToLong(SlotRow::pushedAt)
                .findFirst();
    }

    @Override
    public void each(long ring, int lane, SlotReader reader) {
        slots(ring, lane).values().forEach(reader::slot);
    }

    @Override
    public long pushed(long ring, long producer) {
        return rings.ring(ring).producers.getOrDefault(producer, 0L);
    }

    @Override
    public void putPushed(long ring, long producer, long number) {
        undo.put(rings.ring(ring).producers, producer, number);
    }

    private NavigableMap<At, SlotRow> slots(long ring, int lane) {
        return MemoryRing.of(rings.ring(ring).slots, "", lane, 0, Long.MAX_VALUE);
    }
}

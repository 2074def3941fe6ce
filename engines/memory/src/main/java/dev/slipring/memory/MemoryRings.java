// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;
import dev.slipring.ledger.Epochs;
import dev.slipring.ledger.RingTable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Rings and their shapes in memory. */
final class MemoryRings implements RingTable {

    private final Map<String, Shape> shapes = new TreeMap<>();
    private final Map<Long, MemoryRing> rings = new HashMap<>();
    private final UndoLog undo;
    private long lastId;

    MemoryRings(UndoLog undo) {
        this.undo = undo;
    }

    /** The rows of a ring. */
    MemoryRing ring(long id) {
        return rings.get(id);
    }

    @Override
    public List<String> names() {
        return List.copyOf(shapes.keySet());
    }

    @Override
    public Shape find(String name) {
        return shapes.get(name);
    }

    @Override
    public OptionalLong id(String name) {
        Shape shape = shapes.get(name);
        return shape == null ? OptionalLong.empty() : OptionalLong.of(shape.id());
    }

    @Override
    public Shape insert(RingSpec spec) {
        long id = ++lastId;
        Shape shape = Epochs.firstShape(id, spec);
        undo.put(shapes, spec.name(), shape);
        undo.put(rings, id, new MemoryRing());
        return shape;
    }

    @Override
    public void update(Shape shape) {
        undo.put(shapes, shape.spec().name(), shape);
    }

    @Override
    public void delete(long ring) {
        shapes.values().stream()
                .filter(shape -> shape.id() == ring)
                .map(shape -> shape.spec().name())
                .toList()
                .forEach(name -> undo.remove(shapes, name));
        undo.remove(rings, ring);
    }
}

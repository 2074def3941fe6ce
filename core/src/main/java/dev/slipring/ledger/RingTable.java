// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;

import java.util.List;
import java.util.OptionalLong;

/** Rings and their shapes. */
public interface RingTable {

    /** The names, sorted. */
    List<String> names();

    /**
     * The shape of a ring; null if there is none.
     *
     * @throws IllegalArgumentException if its rows are not those of a shape
     */
    Shape find(String name);

    /** The id of a ring, also of one whose shape is broken; empty if there is none. */
    OptionalLong id(String name);

    /** Adds a ring with an id that was never used, and returns its shape; no lanes, no strands. */
    Shape insert(RingSpec spec);

    /** Writes a shape in place of the one with the same id. */
    void update(Shape shape);

    /** Removes the ring and all rows that belong to it. */
    void delete(long ring);
}

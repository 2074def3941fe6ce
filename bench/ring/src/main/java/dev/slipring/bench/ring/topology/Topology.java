// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

import java.util.List;

/** A shape that is measured. */
public interface Topology {

    /** Its name, by which it can be asked for alone. */
    String name();

    /** The workload of its rows: its name, or the name of the table that it belongs to. */
    default String workload() {
        return name();
    }

    /** The setting of its rows in a ring of this many slots. */
    default String setting(int capacity) {
        return capacity + " slots";
    }

    /** Its graph. */
    Shape shape();

    /** The numbers of slots with which it is measured. */
    default List<Integer> capacities() {
        return List.of(1 << 10, 1 << 16);
    }

    /** How many messages a run has; 0 for as many as make it long enough. */
    default long messages() {
        return 0;
    }

    /** How many terms of a series are computed for each message. */
    default int terms() {
        return 0;
    }
}

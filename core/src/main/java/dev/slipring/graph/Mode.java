// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

/** How the workers of a stage share a lane. */
public enum Mode {
    /**
     * Any number of claims at a time: workers share the lane, a failed message does not hold it.
     */
    POOL,
    /**
     * One claim per lane at a time, and a failed message holds its lane until it is done or dead,
     * so messages with one key are handled one after the other.
     */
    ORDERED
}

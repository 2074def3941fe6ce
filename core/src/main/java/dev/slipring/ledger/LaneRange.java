// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/**
 * Positions of a lane.
 *
 * @param lane the lane
 * @param from the first of them
 * @param to the position behind the last
 */
public record LaneRange(int lane, long from, long to) {

    /** A single one. */
    static LaneRange at(int lane, long position) {
        return new LaneRange(lane, position, position + 1);
    }
}

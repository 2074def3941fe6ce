// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/**
 * How far somebody has come who goes through the rows of a stage in a state, by lane and position.
 *
 * @param stage the stage
 * @param state the state
 * @param lane the lane
 * @param behind the position behind which the next row of the lane stands; -1 for its first
 */
public record AsideCursor(String stage, AsideRow.State state, int lane, long behind) {

    /** At the first row of all. */
    static AsideCursor first(String stage, AsideRow.State state) {
        return new AsideCursor(stage, state, 0, -1);
    }

    /** Behind a row of the lane. */
    AsideCursor behind(AsideRow row) {
        return new AsideCursor(stage, state, lane, row.position());
    }

    /** At the first row of the next lane. */
    AsideCursor nextLane() {
        return new AsideCursor(stage, state, lane + 1, -1);
    }
}

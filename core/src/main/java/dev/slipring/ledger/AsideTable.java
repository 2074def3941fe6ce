// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** Messages set aside, dead or dropped. */
public interface AsideTable {

    /** The row of a message; null if there is none. */
    AsideRow get(long ring, String stage, int lane, long position);

    /** The waiting rows of a stage that are due, the longest due first. */
    List<AsideRow> due(long ring, String stage, long now, Portion portion);

    /** The waiting row with the lowest position in a lane; null if there is none. */
    AsideRow firstWaiting(long ring, String stage, int lane);

    /** When the next waiting row of a stage is due. */
    OptionalLong nextDue(long ring, String stage);

    /** What any claim of a stage has in hand, by lane and position. */
    List<AsideHead> inHand(long ring, String stage);

    /** The rows that a claim has in hand, by position. */
    List<AsideRow> inHand(long ring, String stage, int lane, long epoch);

    /** The positions of a range at which the stages have rows: one for each row. */
    List<Long> positions(long ring, Collection<String> stages, LaneRange range);

    /** The same for rows that keep the stages that follow from the message. */
    List<Long> blocked(long ring, Collection<String> stages, LaneRange range);

    /** What a stage has in a state in a lane, by position. */
    List<AsideHead> heads(long ring, String stage, int lane, AsideRow.State state);

    /** The next rows of a lane, by position. */
    List<AsideRow> page(long ring, AsideCursor from, Portion portion);

    /**
     * Adds a row, or changes one that is there: all but its message, which never changes, and goes
     * when the row is dropped.
     */
    void put(long ring, AsideRow row);

    /** Removes a row. */
    void delete(long ring, AsideRow row);

    /** Removes all rows of a stage. */
    void deleteAll(long ring, String stage);

    /**
     * Removes the dropped rows of a stage in a range, but for those whose message another stage
     * still keeps; returns how many there were.
     */
    long deleteDropped(long ring, String stage, LaneRange range);
}

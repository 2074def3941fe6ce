// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Lanes, and the slots that they hold. */
public interface LaneTable {

    /** The lanes of a ring, in order. */
    List<LaneRow> all(long ring);

    /** Adds or replaces a lane. */
    void put(long ring, LaneRow lane);

    /** Removes the slots that lie wholly below a position; returns how many bytes they held. */
    long release(long ring, int lane, long below);

    /** The first position held; empty if none is. */
    OptionalLong oldest(long ring, int lane);

    /** The first position held that was pushed at a time or later; empty if there is none. */
    OptionalLong pushedSince(long ring, int lane, long time);

    /** When what stands at a position was pushed; empty if nothing stands there. */
    OptionalLong pushedAt(long ring, int lane, long position);

    /** Shows every slot of a lane, in order. */
    void each(long ring, int lane, Consumer<SlotRow> reader);

    /**
     * Whether there may be a gap in front of a slot: pushes before it were rolled back, and its own
     * push could not see where the slot before it ends.
     */
    default boolean isBehindGap(SlotRow slot) {
        return false;
    }
}

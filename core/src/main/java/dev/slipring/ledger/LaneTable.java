// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.RingBroken;
import dev.slipring.graph.Shape;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Lanes, and the slots that they hold. */
public interface LaneTable {

    /** The lanes of a ring that are there, in order; the list may be changed. */
    List<LaneRow> all(long ring);

    /**
     * The lanes of a ring, in order: the first is lane 0. The list may be changed.
     *
     * @throws RingBroken if one is lost
     */
    default List<LaneRow> whole(Shape shape) {
        List<LaneRow> lanes = all(shape.id());
        if (lanes.size() < shape.spec().lanes()) {
            throw new RingBroken(
                    shape.spec().name(),
                    "of its " + shape.spec().lanes() + " lanes the store has " + lanes.size());
        }
        return lanes;
    }

    /** A lane; null if its row is lost. */
    LaneRow get(long ring, int lane);

    /**
     * A lane.
     *
     * @throws RingBroken if it is lost
     */
    default LaneRow there(Shape shape, int lane) {
        LaneRow row = get(shape.id(), lane);
        if (row == null) {
            throw new RingBroken(shape.spec().name(), "its lane " + lane + " is lost");
        }
        return row;
    }

    /**
     * Adds or replaces a lane. Under the lock of its head only its head has moved, and its bytes
     * have grown; under that of its strands only its gate has, and its bytes became fewer. The rest
     * of the row may be older than what another transaction has written meanwhile, and must not
     * replace that.
     */
    void put(long ring, LaneRow lane);

    /** Removes the slots that lie wholly below a position; returns how many bytes they held. */
    long release(long ring, int lane, long below);

    /** The first position held; empty if none is. */
    OptionalLong oldest(long ring, int lane);

    /** The first position held that was pushed at a time or later; empty if there is none. */
    OptionalLong pushedSince(long ring, int lane, long time);

    /** When what stands at a position was pushed; empty if nothing stands there. */
    OptionalLong pushedAt(long ring, int lane, long position);

    /**
     * When the oldest of what stands at these positions, one for a lane, was pushed; empty if
     * nothing stands there. A store that is far away is best asked for all of them at once.
     */
    default OptionalLong oldestPush(long ring, Map<Integer, Long> positions) {
        return positions.entrySet().stream()
                .map(at -> pushedAt(ring, at.getKey(), at.getValue()))
                .flatMapToLong(OptionalLong::stream)
                .min();
    }

    /** Shows every slot of a lane, in order. */
    void each(long ring, int lane, SlotReader reader);

    /** Is shown the slots of a lane. */
    interface SlotReader {

        /** A slot. */
        void slot(SlotRow slot);

        /** What is wrong with how the slots are stored, in words. */
        void wrong(String words);
    }

    /**
     * Whether the first message of a claim is found from where a call begins to look for it. The
     * claim need not be in hand yet: the next one of a stage begins to look where the stage stands.
     */
    default boolean finds(Shape shape, ClaimRow claim) {
        return true;
    }

    /**
     * Whether there may be a gap in front of a slot: pushes before it were rolled back, and its own
     * push could not see where the slot before it ends.
     */
    default boolean isBehindGap(SlotRow slot) {
        return false;
    }
}

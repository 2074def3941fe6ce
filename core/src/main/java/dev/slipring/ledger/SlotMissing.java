// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.StoreFailed;
import dev.slipring.graph.Shape;

import java.util.List;

/** Messages that a stage is to have are not where they were stored. */
final class SlotMissing extends StoreFailed {

    private static final long serialVersionUID = 1L;

    /** The first messages of a range, of which these slots were found. */
    static SlotMissing first(Shape shape, LaneRange range, List<SlotRow> found) {
        long end = range.to();
        if (!found.isEmpty()) {
            SlotRow slot = found.get(0);
            end = Math.min(end, slot.first() <= range.from() ? slot.end() : slot.first());
        }
        return new SlotMissing(shape, new LaneRange(range.lane(), range.from(), end));
    }

    private SlotMissing(Shape shape, LaneRange range) {
        this(
                "ring '"
                        + shape.spec().name()
                        + "', lane "
                        + range.lane()
                        + ": the messages from "
                        + range.from()
                        + " to "
                        + (range.to() - 1)
                        + " are not there, or cannot be read");
    }

    /** A message that was set aside. */
    SlotMissing(AsideRow row) {
        this(
                "stage '"
                        + row.stage()
                        + "': message "
                        + row.lane()
                        + "-"
                        + row.position()
                        + ", which is set aside, cannot be read");
    }

    private SlotMissing(String what) {
        super(what + "; run 'slipring check'");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * A push found no free lane in time: open transactions have pushed into its lanes, or into those of
 * pushes ahead of it in the journal, or keep the whole store, as in a SQLite file. Nothing of it
 * was stored; push again, or with a longer time-out.
 */
public class LaneKept extends StoreFailed {

    private static final long serialVersionUID = 1L;

    /** A copy that is serializable, though its type does not say so. */
    @SuppressWarnings("serial")
    private final List<Integer> lanes;

    /** With the words, and the lanes that are kept. */
    public LaneKept(String message, Collection<Integer> lanes) {
        super(message);
        this.lanes = List.copyOf(new TreeSet<>(lanes));
    }

    /** The lanes that are kept, by number. */
    public List<Integer> lanes() {
        return lanes;
    }
}

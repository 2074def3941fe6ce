// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the slots of a ring stand. The id of a slot has its shelf in the high bits and the position
 * of its first message in the low ones; lane n of a ring uses the ring's shelf + n. A shelf is used
 * again when its ring is dropped, so a file holds 32,768 lanes at a time. The last of a lane's 2^48
 * positions is its end, and takes no message.
 */
final class Shelves {

    private static final int POSITION_BITS = 48;
    static final long POSITIONS = 1L << POSITION_BITS;
    private static final long MOST = 1L << 63 - POSITION_BITS;

    private final Statements statements;

    /** By ring, where it was found. */
    private final Map<Long, Long> found = new HashMap<>();

    Shelves(Statements statements) {
        this.statements = statements;
    }

    /** Where a ring's slots stand, as just read. */
    void found(long ring, long shelf) {
        found.put(ring, shelf);
    }

    /** Forgets what was found. */
    void forget() {
        found.clear();
    }

    /**
     * The id of a slot with that first position; of the lane's end if it is beyond all positions.
     */
    long id(long ring, int lane, long first) {
        Long shelf = found.get(ring);
        if (shelf == null) {
            shelf =
                    statements
                            .number("SELECT shelf FROM slipring_ring WHERE id = ?", ring)
                            .orElse(0);
            found.put(ring, shelf);
        }
        long begin = shelf + lane << POSITION_BITS;
        return first < POSITIONS ? begin + first : begin + POSITIONS - 1;
    }

    /** The first position of a slot. */
    static long first(long id) {
        return id & POSITIONS - 1;
    }

    /** The lowest shelf with as many free ones behind it. */
    long free(int lanes) {
        List<long[]> taken =
                statements.list(
                        "SELECT shelf, lanes FROM slipring_ring ORDER BY shelf",
                        row -> new long[] {row.getLong(1), row.getLong(2)});
        long shelf = 0;
        for (long[] ring : taken) {
            if (ring[0] - shelf >= lanes) {
                break;
            }
            shelf = ring[0] + ring[1];
        }
        if (shelf + lanes > MOST) {
            throw new StoreFailed(
                    "the file holds the most lanes that it can, "
                            + MOST
                            + " in all rings; drop rings, or use a further file");
        }
        return shelf;
    }
}

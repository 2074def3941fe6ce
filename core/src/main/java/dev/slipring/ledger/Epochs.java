// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;

import java.util.Set;

/**
 * The numbers that claims are fenced by. An epoch begins with the ring's id, then comes the version
 * of its shape, then the claim; so none ever comes twice in a store, whatever was dropped and made
 * anew under the same name. PostgreSQL takes its own from the server's clock instead, see {@code
 * schema/001/word.sql} there.
 */
public final class Epochs {

    /** How many bits the versions of a shape have, and the claims under one of them. */
    private static final int BITS = 20;

    /** What is left of a positive number for the ring's id. */
    private static final long ID_END = 1L << Long.SIZE - 1 - 2 * BITS;

    private Epochs() {}

    /**
     * The shape that a new ring begins with.
     *
     * @param id which no other ring of the store has or had
     * @throws StoreFailed if the store has come to the end of the ids
     */
    public static Shape firstShape(long id, RingSpec spec) {
        if (id >= ID_END) {
            throw new StoreFailed(
                    "the ids of rings in this store have come to their end, "
                            + ID_END
                            + "; make the ring in another one");
        }
        return new Shape(id, id << BITS, spec, Set.of());
    }

    /**
     * The epoch before the first of a new strand: above all that a stage of the same name ever had.
     */
    static long before(Shape shape) {
        return shape.version() << BITS;
    }

    /** The version of the shape to which an epoch belongs. */
    static long version(long epoch) {
        return epoch >> BITS;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.util.Set;

/**
 * A ring as it stands in its store.
 *
 * @param id names the ring in the store; never used again, so a ring that was dropped and made anew
 *     has another
 * @param version grows with each change of the shape
 * @param spec what it is declared to be, after all changes
 * @param paused the stages that are paused
 */
public record Shape(long id, long version, RingSpec spec, Set<String> paused) {

    public Shape {
        paused = Set.copyOf(paused);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * One producer, eight workers that share the messages.
 *
 * <pre>
 *           +-- A --+
 *     P --&gt; |  ...  | --&gt; P     (eight of A)
 *           +-- A --+
 * </pre>
 */
public final class PoolOfEight implements Topology {

    @Override
    public String name() {
        return "pool-8";
    }

    @Override
    public Shape shape() {
        return Shape.of(1, new int[] {8});
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * One producer, three workers that share the messages.
 *
 * <pre>
 *           +-- A --+
 *     P --&gt; +-- A --+ --&gt; P
 *           +-- A --+
 * </pre>
 */
public final class PoolOfThree implements Topology {

    @Override
    public String name() {
        return "pool-3";
    }

    @Override
    public Shape shape() {
        return Shape.of(1, new int[] {3});
    }
}

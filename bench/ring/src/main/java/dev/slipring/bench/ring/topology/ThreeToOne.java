// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * Three producers, one consumer.
 *
 * <pre>
 *     P --&gt;+
 *     P --&gt;+ --&gt; A --&gt; P
 *     P --&gt;+
 * </pre>
 */
public final class ThreeToOne implements Topology {

    @Override
    public String name() {
        return "3-1";
    }

    @Override
    public Shape shape() {
        return Shape.of(3, new int[] {1});
    }
}

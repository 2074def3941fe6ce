// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * One producer, one consumer.
 *
 * <pre>
 *     P --&gt; A --&gt; P
 * </pre>
 */
public final class OneToOne implements Topology {

    @Override
    public String name() {
        return "1-1";
    }

    @Override
    public Shape shape() {
        return Shape.of(1, new int[] {1});
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * Three producers, three workers that share the messages.
 *
 * <pre>
 *     P --&gt;+      +-- A --+
 *     P --&gt;+ --&gt;  +-- A --+ --&gt; P
 *     P --&gt;+      +-- A --+
 * </pre>
 */
public final class ManyToMany implements Topology {

    @Override
    public String name() {
        return "many";
    }

    @Override
    public Shape shape() {
        return Shape.of(3, new int[] {3});
    }
}

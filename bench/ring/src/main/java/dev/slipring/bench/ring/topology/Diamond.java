// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * One producer, two stages side by side, and one that follows both.
 *
 * <pre>
 *           +--&gt; A --&gt;+
 *     P --&gt; |         | --&gt; C --&gt; P
 *           +--&gt; B --&gt;+
 * </pre>
 */
public final class Diamond implements Topology {

    @Override
    public String name() {
        return "diamond";
    }

    @Override
    public Shape shape() {
        return Shape.of(1, new int[] {1, 1}, new int[] {1});
    }
}

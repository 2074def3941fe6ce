// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * One producer, three consumers that each see every message.
 *
 * <pre>
 *           +--&gt; A --&gt;+
 *     P --&gt; +--&gt; B --&gt;+ --&gt; P
 *           +--&gt; C --&gt;+
 * </pre>
 */
public final class OneToThree implements Topology {

    @Override
    public String name() {
        return "1-3";
    }

    @Override
    public Shape shape() {
        return Shape.of(1, new int[] {1, 1, 1});
    }
}

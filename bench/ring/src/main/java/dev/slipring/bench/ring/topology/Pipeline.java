// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * One producer, three stages one behind the other.
 *
 * <pre>
 *     P --&gt; A --&gt; B --&gt; C --&gt; P
 * </pre>
 */
public final class Pipeline implements Topology {

    @Override
    public String name() {
        return "pipeline";
    }

    @Override
    public Shape shape() {
        return Shape.of(1, new int[] {1}, new int[] {1}, new int[] {1});
    }
}

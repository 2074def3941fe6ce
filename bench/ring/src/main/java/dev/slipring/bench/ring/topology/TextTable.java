// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * The graph of the table in QuestDB's text: workers that each see every message and compute their
 * share, ten terms of a series, and one that adds up what they computed.
 *
 * <pre>
 *           +--&gt; A --&gt;+
 *     P --&gt; |         | --&gt; C --&gt; P
 *           +--&gt; B --&gt;+
 * </pre>
 */
public final class TextTable implements Topology {

    @Override
    public String name() {
        return "text";
    }

    @Override
    public Shape shape() {
        return Shape.of(1, new int[] {1, 1}, new int[] {1});
    }

    @Override
    public int terms() {
        return 10;
    }
}

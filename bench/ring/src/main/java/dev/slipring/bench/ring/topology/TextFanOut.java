// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

import java.util.Arrays;

/**
 * The text's fan-out: workers that each see every message and compute their share of them, and one
 * more that follows them all and adds up what they computed.
 *
 * <pre>
 *           +--&gt; A --&gt;+
 *     P --&gt; |   ...   | --&gt; C --&gt; P     (THREADS of A)
 *           +--&gt; B --&gt;+
 * </pre>
 *
 * @param thousands how many messages, in thousands
 * @param threads how many workers
 * @param terms how many terms of a series are computed for a message
 */
public record TextFanOut(int thousands, int threads, int terms) implements TextRow {

    @Override
    public String graph() {
        return "fanout";
    }

    @Override
    public Shape shape() {
        int[] workers = new int[threads];
        Arrays.fill(workers, 1);
        return Shape.of(1, workers, new int[] {1});
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

/**
 * The text's worker pool: workers that share the messages, and one more that follows them and adds
 * up what they computed. The worker that takes a message computes it, so that the work is the same
 * as in the fan-out.
 *
 * <pre>
 *           +-- A --+
 *     P --&gt; |  ...  | --&gt; C --&gt; P     (THREADS of A)
 *           +-- A --+
 * </pre>
 *
 * @param thousands how many messages, in thousands
 * @param threads how many workers
 * @param terms how many terms of a series are computed for a message
 */
public record TextWorker(int thousands, int threads, int terms) implements TextRow {

    @Override
    public String graph() {
        return "worker";
    }

    @Override
    public Shape shape() {
        return Shape.of(1, new int[] {threads}, new int[] {1});
    }
}

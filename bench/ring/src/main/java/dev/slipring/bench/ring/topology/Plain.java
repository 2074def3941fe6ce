// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

import java.util.List;

/**
 * A shape through which messages only pass.
 *
 * @param name its name
 * @param shape its graph
 */
record Plain(String name, Shape shape) implements Topology {

    /**
     * One producer, one consumer.
     *
     * <pre>
     *     P --&gt; A --&gt; P
     * </pre>
     */
    private static final Topology ONE_TO_ONE = new Plain("1-1", Shape.of(1, new int[] {1}));

    /**
     * One producer, three consumers that each see every message.
     *
     * <pre>
     *           +--&gt; A --&gt;+
     *     P --&gt; +--&gt; B --&gt;+ --&gt; P
     *           +--&gt; C --&gt;+
     * </pre>
     */
    private static final Topology ONE_TO_THREE = new Plain("1-3", Shape.of(1, new int[] {1, 1, 1}));

    /**
     * One producer, three stages one behind the other.
     *
     * <pre>
     *     P --&gt; A --&gt; B --&gt; C --&gt; P
     * </pre>
     */
    private static final Topology PIPELINE =
            new Plain("pipeline", Shape.of(1, new int[] {1}, new int[] {1}, new int[] {1}));

    /**
     * One producer, two stages side by side, and one that follows both.
     *
     * <pre>
     *           +--&gt; A --&gt;+
     *     P --&gt; |         | --&gt; C --&gt; P
     *           +--&gt; B --&gt;+
     * </pre>
     */
    private static final Topology DIAMOND =
            new Plain("diamond", Shape.of(1, new int[] {1, 1}, new int[] {1}));

    /**
     * Three producers, one consumer.
     *
     * <pre>
     *     P --&gt;+
     *     P --&gt;+ --&gt; A --&gt; P
     *     P --&gt;+
     * </pre>
     */
    private static final Topology THREE_TO_ONE = new Plain("3-1", Shape.of(3, new int[] {1}));

    /**
     * One producer, three workers that share the messages.
     *
     * <pre>
     *           +-- A --+
     *     P --&gt; +-- A --+ --&gt; P
     *           +-- A --+
     * </pre>
     */
    private static final Topology POOL_OF_THREE = new Plain("pool-3", Shape.of(1, new int[] {3}));

    /**
     * One producer, eight workers that share the messages.
     *
     * <pre>
     *           +-- A --+
     *     P --&gt; |  ...  | --&gt; P     (eight of A)
     *           +-- A --+
     * </pre>
     */
    private static final Topology POOL_OF_EIGHT = new Plain("pool-8", Shape.of(1, new int[] {8}));

    /**
     * Three producers, three workers that share the messages.
     *
     * <pre>
     *     P --&gt;+      +-- A --+
     *     P --&gt;+ --&gt;  +-- A --+ --&gt; P
     *     P --&gt;+      +-- A --+
     * </pre>
     */
    private static final Topology MANY_TO_MANY = new Plain("many", Shape.of(3, new int[] {3}));

    static final List<Topology> ALL =
            List.of(
                    ONE_TO_ONE,
                    ONE_TO_THREE,
                    PIPELINE,
                    DIAMOND,
                    THREE_TO_ONE,
                    POOL_OF_THREE,
                    POOL_OF_EIGHT,
                    MANY_TO_MANY);
}

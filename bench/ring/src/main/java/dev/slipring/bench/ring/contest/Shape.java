// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import java.util.Arrays;
import java.util.List;

/**
 * A graph.
 *
 * @param producers how many threads publish
 * @param levels the levels in their order; each lists its stages, which are side by side, as the
 *     number of threads that share the stage
 */
public record Shape(int producers, List<List<Integer>> levels) {

    /** A shape from the threads of each level's stages. */
    public static Shape of(int producers, int[]... levels) {
        return new Shape(
                producers,
                Arrays.stream(levels).map(level -> Arrays.stream(level).boxed().toList()).toList());
    }

    /** How many messages each producer publishes; the last one publishes the rest, too. */
    public long share(long messages) {
        return messages / producers;
    }

    /** Whether some stage is shared. */
    public boolean hasPool() {
        return levels.stream().flatMap(List::stream).anyMatch(threads -> threads > 1);
    }

    /** How many stages there are. */
    public int stages() {
        return levels.stream().mapToInt(List::size).sum();
    }

    /** How many threads there are, with the producers. */
    public int threads() {
        return producers + levels.stream().flatMap(List::stream).mapToInt(n -> n).sum();
    }

    /** The number of threads of the first stage. */
    public int pool() {
        return levels.get(0).get(0);
    }
}

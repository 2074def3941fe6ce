// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Barriers that follow each other and come or go together.
 *
 * @param members all of them
 */
record Chain(Set<Barrier> members) {

    /**
     * The chain that ends with a barrier.
     *
     * @param after what its first follows; null if that follows nothing
     */
    static Chain of(Barrier end, Barrier after) {
        Chain chain = new Chain(new LinkedHashSet<>());
        chain.collect(end, after);
        return chain;
    }

    private void collect(Barrier end, Barrier after) {
        for (Barrier at = end; at != after && at != null; at = at.upstream()) {
            members.add(at);
            if (at instanceof FanOut fanOut) {
                fanOut.arms().forEach(arm -> collect(arm, fanOut.upstream()));
            }
        }
    }

    Set<Sequence> sequences() {
        return members.stream()
                .filter(Sequence.class::isInstance)
                .map(Sequence.class::cast)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The first of a chain that follows a barrier. */
    static Barrier root(Barrier end, Barrier after) {
        Barrier root = end;
        while (root.upstream() != after) {
            root = root.upstream();
        }
        return root;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** One graph behind another. */
record Chain(Graph first, Graph next) implements Graph {

    Chain {
        Objects.requireNonNull(next, "next");
    }

    @Override
    public Set<String> heads() {
        return first.heads();
    }

    @Override
    public Set<String> tails() {
        return next.tails();
    }

    @Override
    public List<StageSpec> stages() {
        List<StageSpec> all = new ArrayList<>(first.stages());
        all.addAll(next.stages());
        return all;
    }

    @Override
    public Map<String, Set<String>> edges() {
        Map<String, Set<String>> all = new HashMap<>(first.edges());
        next.edges().forEach((stage, after) -> add(all, stage, after));
        next.heads().forEach(head -> add(all, head, first.tails()));
        return all;
    }

    static void add(Map<String, Set<String>> edges, String stage, Set<String> after) {
        Set<String> both = new HashSet<>(edges.getOrDefault(stage, Set.of()));
        both.addAll(after);
        edges.put(stage, both);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** One graph behind another. */
record Chain(Graph first, Graph next) implements Graph {

    Chain {
        Objects.requireNonNull(next, "next");
    }

    /** Those that stand one behind the other, in order. There may be thousands. */
    private List<Graph> links() {
        LinkedList<Graph> links = new LinkedList<>();
        Graph front = this;
        while (front instanceof Chain chain) {
            links.addFirst(chain.next);
            front = chain.first;
        }
        links.addFirst(front);
        return links;
    }

    @Override
    public Set<String> heads() {
        return links().get(0).heads();
    }

    @Override
    public Set<String> tails() {
        return next.tails();
    }

    @Override
    public List<StageSpec> stages() {
        List<StageSpec> all = new ArrayList<>();
        links().forEach(link -> all.addAll(link.stages()));
        return all;
    }

    @Override
    public Map<String, Set<String>> edges() {
        Map<String, Set<String>> all = new HashMap<>();
        Set<String> before = Set.of();
        for (Graph link : links()) {
            link.edges().forEach((stage, after) -> add(all, stage, after));
            for (String head : link.heads()) {
                add(all, head, before);
            }
            before = link.tails();
        }
        return all;
    }

    static void add(Map<String, Set<String>> edges, String stage, Set<String> after) {
        Set<String> both = new HashSet<>(edges.getOrDefault(stage, Set.of()));
        both.addAll(after);
        edges.put(stage, both);
    }
}

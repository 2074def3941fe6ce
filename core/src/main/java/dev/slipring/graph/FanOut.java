// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Graphs side by side: each sees every message, and what follows the fan-out joins them all. Named
 * after the class of the same meaning in QuestDB's inter-thread messaging.
 */
public final class FanOut implements Graph {

    private final List<Graph> arms;

    private FanOut(List<Graph> arms) {
        this.arms = List.copyOf(arms);
    }

    /** A fan-out with one arm so far. */
    public static FanOut to(Graph arm) {
        return new FanOut(List.of(Objects.requireNonNull(arm, "arm")));
    }

    /** A fan-out with one arm so far: a stage with the defaults. */
    public static FanOut to(String stage) {
        return to(Graph.of(stage));
    }

    /** This fan-out with a further arm. */
    public FanOut and(Graph arm) {
        List<Graph> more = new ArrayList<>(arms);
        more.add(Objects.requireNonNull(arm, "arm"));
        return new FanOut(more);
    }

    /** This fan-out with a further arm: a stage with the defaults. */
    public FanOut and(String stage) {
        return and(Graph.of(stage));
    }

    @Override
    public Set<String> heads() {
        Set<String> all = new HashSet<>();
        arms.forEach(arm -> all.addAll(arm.heads()));
        return all;
    }

    @Override
    public Set<String> tails() {
        Set<String> all = new HashSet<>();
        arms.forEach(arm -> all.addAll(arm.tails()));
        return all;
    }

    @Override
    public List<StageSpec> stages() {
        return arms.stream().flatMap(arm -> arm.stages().stream()).toList();
    }

    @Override
    public Map<String, Set<String>> edges() {
        Map<String, Set<String>> all = new HashMap<>();
        arms.forEach(arm -> arm.edges().forEach((stage, after) -> Chain.add(all, stage, after)));
        return all;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The checked graph of a ring: no name twice, none unknown, no cycle. Immutable; equal if the
 * stages and what they follow are equal.
 */
public final class Stages {

    private final Map<String, StageSpec> specs;
    private final Map<String, Set<String>> after;

    private Stages(Map<String, StageSpec> specs, Map<String, Set<String>> after) {
        this.specs = Collections.unmodifiableMap(specs);
        this.after = Collections.unmodifiableMap(after);
        checkNames();
        checkCircle();
    }

    /** The stages of a graph. */
    public static Stages of(Graph graph) {
        return of(graph.stages(), graph.edges());
    }

    /**
     * The stages, and for each those that it follows.
     *
     * @throws IllegalArgumentException if there is none, a name stands twice, what is followed is
     *     unknown, or the stages follow each other in a circle
     */
    public static Stages of(Collection<StageSpec> stages, Map<String, Set<String>> after) {
        Map<String, StageSpec> specs = new LinkedHashMap<>();
        for (StageSpec stage : stages) {
            if (specs.put(stage.name(), stage) != null) {
                throw new IllegalArgumentException(
                        "stage '" + stage.name() + "' is declared twice");
            }
        }
        Map<String, Set<String>> edges = new LinkedHashMap<>();
        after.forEach(
                (stage, followed) -> {
                    if (!followed.isEmpty()) {
                        edges.put(stage, Collections.unmodifiableSet(new TreeSet<>(followed)));
                    }
                });
        return new Stages(specs, edges);
    }

    private void checkNames() {
        if (specs.isEmpty()) {
            throw new IllegalArgumentException("a ring needs at least one stage");
        }
        after.forEach(
                (stage, followed) -> {
                    get(stage);
                    for (String name : followed) {
                        if (!specs.containsKey(name)) {
                            throw new IllegalArgumentException(
                                    "stage '"
                                            + stage
                                            + "' is to follow '"
                                            + Names.shown(name)
                                            + "', which is not declared; "
                                            + others(stage));
                        }
                    }
                });
    }

    private String others(String stage) {
        List<String> others = names().stream().filter(name -> !name.equals(stage)).toList();
        return others.isEmpty()
                ? "there is no other stage"
                : "the others are " + String.join(", ", others);
    }

    /** Refuses stages that follow each other in a circle. There may be thousands. */
    private void checkCircle() {
        Map<String, List<String>> followers = new HashMap<>();
        Map<String, Integer> waits = new LinkedHashMap<>();
        Deque<String> free = new ArrayDeque<>();
        for (String stage : specs.keySet()) {
            waits.put(stage, after(stage).size());
            after(stage)
                    .forEach(
                            name ->
                                    followers
                                            .computeIfAbsent(name, key -> new ArrayList<>())
                                            .add(stage));
            if (after(stage).isEmpty()) {
                free.add(stage);
            }
        }
        while (!free.isEmpty()) {
            String stage = free.remove();
            waits.remove(stage);
            for (String follower : followers.getOrDefault(stage, List.of())) {
                if (waits.merge(follower, -1, Integer::sum) == 0) {
                    free.add(follower);
                }
            }
        }
        if (!waits.isEmpty()) {
            List<String> circle = circle(waits.keySet());
            throw new IllegalArgumentException(
                    "the stages follow each other in a circle: "
                            + String.join(" follows ", circle)
                            + " follows "
                            + circle.get(0));
        }
    }

    /** A circle among stages that each follow at least one other of them. */
    private List<String> circle(Set<String> stages) {
        List<String> path = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        String stage = stages.iterator().next();
        while (seen.add(stage)) {
            path.add(stage);
            stage = after(stage).stream().filter(stages::contains).findFirst().orElseThrow();
        }
        return path.subList(path.indexOf(stage), path.size());
    }

    /** The names, in the order of the declaration. */
    public Set<String> names() {
        return specs.keySet();
    }

    /** Whether there is a stage of that name. */
    public boolean has(String stage) {
        return specs.containsKey(stage);
    }

    /**
     * The stage of that name.
     *
     * @throws NoSuchStage if there is none; the message has the names that there are
     */
    public StageSpec get(String stage) {
        StageSpec spec = specs.get(stage);
        if (spec == null) {
            throw new NoSuchStage(
                    "no stage '"
                            + Names.shown(stage)
                            + "'; the stages are "
                            + String.join(", ", names()));
        }
        return spec;
    }

    /** The stages that this one follows; none if it sees what is pushed at once. */
    public Set<String> after(String stage) {
        return after.getOrDefault(stage, Set.of());
    }

    /** The stages that follow this one. */
    public List<String> followers(String stage) {
        return specs.keySet().stream().filter(name -> after(name).contains(stage)).toList();
    }

    /** The stages that this one follows, those that they follow, and so on. */
    public Set<String> ancestors(String stage) {
        Set<String> all = new LinkedHashSet<>();
        Deque<Iterator<String>> ways = new ArrayDeque<>();
        ways.push(after(stage).iterator());
        while (!ways.isEmpty()) {
            if (!ways.peek().hasNext()) {
                ways.pop();
                continue;
            }
            String name = ways.peek().next();
            if (all.add(name)) {
                ways.push(after(name).iterator());
            }
        }
        return all;
    }

    /** These stages and a further one behind those named. */
    public Stages with(StageSpec stage, Set<String> follows) {
        Map<String, StageSpec> more = new LinkedHashMap<>(specs);
        if (more.put(stage.name(), stage) != null) {
            throw new IllegalArgumentException("there is a stage '" + stage.name() + "' already");
        }
        Map<String, Set<String>> edges = new LinkedHashMap<>(after);
        edges.put(stage.name(), follows);
        return of(more.values(), edges);
    }

    /** These stages, one of them with other settings: it follows, and is followed, as before. */
    public Stages replacing(StageSpec stage) {
        get(stage.name());
        Map<String, StageSpec> changed = new LinkedHashMap<>(specs);
        changed.put(stage.name(), stage);
        return of(changed.values(), after);
    }

    /** These stages without one; what followed it follows what it followed. */
    public Stages without(String stage) {
        get(stage);
        Map<String, StageSpec> fewer = new LinkedHashMap<>(specs);
        fewer.remove(stage);
        Map<String, Set<String>> edges = new LinkedHashMap<>();
        for (String name : fewer.keySet()) {
            Set<String> follows = new TreeSet<>(after(name));
            if (follows.remove(stage)) {
                follows.addAll(after(stage));
            }
            edges.put(name, follows);
        }
        return of(fewer.values(), edges);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Stages that && specs.equals(that.specs) && after.equals(that.after);
    }

    @Override
    public int hashCode() {
        return specs.hashCode() * 31 + after.hashCode();
    }

    @Override
    public String toString() {
        return specs.keySet().stream()
                .map(
                        name ->
                                after(name).isEmpty()
                                        ? name
                                        : name + " after " + String.join("+", after(name)))
                .reduce((a, b) -> a + ", " + b)
                .orElse("");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.sources.Sources;
import dev.slipring.bench.subject.Target;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A way to use a queue, to be measured. */
public interface Workload {

    /** All there are, in the order in which they are measured. */
    List<Workload> ALL =
            List.of(
                    new Cycle(),
                    new Threads(),
                    new Backlog(),
                    new SideBySide(),
                    new Latency(),
                    new Idle(),
                    new Transactional(),
                    new Held(),
                    new Reader(),
                    new Log());

    /** The names of all there are. */
    static List<String> names() {
        return all().map(Workload::name).toList();
    }

    /**
     * The workload of a name.
     *
     * @param others names of other things that can be measured, for the list in the error
     */
    static Workload named(String name, List<String> others) {
        return all().filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no workload '"
                                                + name
                                                + "'; the workloads are: "
                                                + Stream.concat(names().stream(), others.stream())
                                                        .collect(Collectors.joining(", "))));
    }

    private static Stream<Workload> all() {
        return Stream.concat(ALL.stream(), Sources.ALL.stream());
    }

    /** Its name. */
    String name();

    /**
     * Every setting on every system; those that are compared stand side by side. Empty if the
     * target cannot run it.
     */
    List<Trial> trials(Target target);
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import java.util.List;
import java.util.stream.Stream;

/** The topologies by their names. */
public final class Topologies {

    /** Those that only pass messages. */
    public static final List<Topology> PLAIN = Plain.ALL;

    private Topologies() {}

    /**
     * The topologies that a name stands for: one, or the rows of a table in its short or full form.
     */
    public static List<Topology> of(String name, boolean isFull) {
        return switch (name) {
            case TextTable.NAME -> isFull ? TextTable.full() : TextTable.brief();
            case Stages.NAME -> Stages.ALL;
            default -> List.of(named(name));
        };
    }

    /** The topology of a name. */
    public static Topology named(String name) {
        return PLAIN.stream()
                .filter(topology -> topology.name().equals(name))
                .findFirst()
                .or(() -> TextTable.named(name))
                .or(() -> Stages.named(name))
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no topology '"
                                                + name
                                                + "'; the topologies are: "
                                                + String.join(", ", names())));
    }

    private static List<String> names() {
        return Stream.concat(
                        PLAIN.stream().map(Topology::name),
                        Stream.of(Stages.NAME, Stages.EACH, TextTable.NAME, TextTable.ROWS))
                .toList();
    }
}

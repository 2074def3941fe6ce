// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

import java.util.List;

/** A shape that is measured. */
public interface Topology {

    /** All there are. */
    List<Topology> ALL =
            List.of(
                    new OneToOne(),
                    new OneToThree(),
                    new Pipeline(),
                    new Diamond(),
                    new ThreeToOne(),
                    new PoolOfThree(),
                    new PoolOfEight(),
                    new ManyToMany(),
                    new TextTable());

    /** The topology of a name. */
    static Topology named(String name) {
        return ALL.stream()
                .filter(topology -> topology.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no topology '"
                                                + name
                                                + "'; the topologies are: "
                                                + String.join(
                                                        ", ",
                                                        ALL.stream()
                                                                .map(Topology::name)
                                                                .toList())));
    }

    /** Its name. */
    String name();

    /** Its graph. */
    Shape shape();

    /** How many terms of a series are computed for each message. */
    default int terms() {
        return 0;
    }
}

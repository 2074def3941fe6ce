// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.ring.Waiting;

import java.util.List;
import java.util.Set;

/** All who can be measured. */
public final class Contestants {

    /** In the order in which they take their turns. */
    public static final List<Contestant> ALL =
            List.of(
                    new SlipringRing("slipring", Waiting.PARK),
                    new Lmax("spinning"),
                    new Lmax("yielding"),
                    new Lmax("sleeping"),
                    new Lmax("blocking"),
                    new QuestDb(false),
                    new QuestDb(true),
                    new Lmax3("yielding"),
                    new Lmax3("sleeping"),
                    new Lmax3("blocking"),
                    new JcTools());

    private static final Set<String> BEST =
            Set.of(
                    "slipring",
                    "disruptor-yielding",
                    "disruptor3-yielding",
                    "questdb-yielding",
                    "questdb-parking",
                    "jctools-yielding");

    private Contestants() {}

    /** Those who can do a shape. */
    public static List<Contestant> of(Shape shape) {
        return ALL.stream().filter(contestant -> contestant.can(shape)).toList();
    }

    /** Of those who can do a shape ours, and the ways of waiting that win or come close. */
    public static List<Contestant> best(Shape shape) {
        return of(shape).stream().filter(contestant -> BEST.contains(contestant.name())).toList();
    }

    /** The contestant of a name. */
    public static Contestant named(String name) {
        return ALL.stream()
                .filter(contestant -> contestant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no system '" + name + "'"));
    }
}

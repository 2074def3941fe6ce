// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.bench.ring.topology.Topology;
import dev.slipring.ring.Waiting;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All systems that can be measured. */
public final class Contestants {

    /** All of them, in the order of their turns. */
    public static final List<Contestant> ALL =
            List.of(
                    new SlipringRing("slipring", Waiting.PARK),
                    new Lmax("spinning"),
                    new Lmax("yielding"),
                    new Lmax("sleeping"),
                    new Lmax("blocking"),
                    new Lmax("lite-blocking"),
                    new QuestDb(false),
                    new QuestDb(true),
                    new Lmax3("yielding"),
                    new Lmax3("sleeping"),
                    new Lmax3("blocking"),
                    new Lmax3("lite-blocking"),
                    new JcTools());

    private static final Pattern DISRUPTOR = Pattern.compile("disruptor3?-(.+)");

    private Contestants() {}

    /** Those that can run a shape. */
    public static List<Contestant> of(Shape shape) {
        return ALL.stream().filter(contestant -> contestant.can(shape)).toList();
    }

    /**
     * Those that can run a topology. Of Disruptor's ways of waiting, only the {@linkplain BestWaits
     * best} for it in a ring of this many slots.
     */
    public static List<Contestant> best(Topology topology, int capacity) {
        Set<String> waits = BestWaits.of(topology.workload(), topology.setting(capacity));
        return of(topology.shape()).stream()
                .filter(
                        contestant -> {
                            Matcher disruptor = DISRUPTOR.matcher(contestant.name());
                            return !disruptor.matches() || waits.contains(disruptor.group(1));
                        })
                .toList();
    }

    /** The contestant with this name. */
    public static Contestant named(String name) {
        return ALL.stream()
                .filter(contestant -> contestant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no system '" + name + "'"));
    }
}

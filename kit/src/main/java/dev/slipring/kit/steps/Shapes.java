// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Random rings: up to six stages in any graph, up to three lanes, little or hardly any room. */
public final class Shapes {

    private Shapes() {}

    /** A random stage. */
    static StageSpec stage(Random random, String name, Duration lease) {
        StageSpec spec =
                StageSpec.named(name)
                        .lease(lease)
                        .tries(1 + random.nextInt(4))
                        .backoff(Duration.ZERO, Duration.ZERO);
        StageSpec limited = random.nextInt(8) == 0 ? spec.keep(1 + random.nextInt(4)) : spec;
        return random.nextInt(3) == 0 ? limited.ordered() : limited;
    }

    /** A random ring whose stages have a lease. */
    public static RingSpec ring(Random random, String name, Duration lease) {
        List<StageSpec> stages = new ArrayList<>();
        Map<String, Set<String>> after = new TreeMap<>();
        int count = 1 + random.nextInt(6);
        boolean ordered = random.nextInt(6) == 0;
        for (int i = 0; i < count; i++) {
            Set<String> follows = new TreeSet<>();
            for (StageSpec earlier : stages) {
                if (random.nextInt(2) == 0) {
                    follows.add(earlier.name());
                }
            }
            StageSpec stage = stage(random, "s" + i, lease);
            stages.add(ordered ? stage.ordered() : stage);
            after.put("s" + i, follows);
        }
        int lanes = Math.max(1, random.nextInt(6) - 2);
        boolean tiny = random.nextInt(4) == 0;
        return RingSpec.named(name)
                .lanes(lanes)
                .messages(tiny ? 1 + random.nextInt(8) : 8 + random.nextInt(40))
                .graph(stages, after);
    }
}

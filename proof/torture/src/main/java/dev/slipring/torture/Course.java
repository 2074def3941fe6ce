// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import dev.slipring.graph.FanOut;
import dev.slipring.graph.Graph;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ring that is tortured: a diamond with pools and an ordered stage. A visitor, a stage that is
 * ordered too, joins behind the first stage and leaves again.
 *
 * <pre>
 *              +--> book (ordered) --+
 *     take ----+                     +--> post (each done is in a transaction with its effect)
 *              +--> index -----------+
 *              +--> visit (ordered, comes and goes)
 * </pre>
 */
public final class Course {

    /** The ring's name. */
    public static final String RING = "torture";

    /** The stage that comes and goes. */
    public static final String VISITOR = "visit";

    /** The stage whose dones each share a transaction with their effects. */
    public static final String JOINED = "post";

    /** The stage that cannot handle some of the messages, which die there. */
    public static final String PICKY = "index";

    /** Every stage's lease. */
    public static final Duration LEASE = Duration.ofMillis(1_500);

    /**
     * How long a failed message waits at most, in milliseconds, if its worker does not say how
     * long.
     */
    public static final int LONGEST_BACKOFF = 400;

    /** What workers say of a message that fails. */
    public static final String FAILURE = "it had to be";

    /** How often a message is handed out at most before it is dead. */
    public static final int TRIES = 5;

    /** The stages that stay, each after those that it follows. */
    public static final List<String> STAGES = List.of("take", "book", "index", JOINED);

    /** For a stage, all that it follows, directly or not. */
    public static final Map<String, Set<String>> ANCESTORS =
            Map.of(
                    "take",
                    Set.of(),
                    "book",
                    Set.of("take"),
                    "index",
                    Set.of("take"),
                    VISITOR,
                    Set.of("take"),
                    JOINED,
                    Set.of("take", "book", "index"));

    /** The ordered stages. */
    public static final Set<String> ORDERED = Set.of("book", VISITOR);

    /** How many messages in a row of a producer have the same key, or no key. */
    private static final int BLOCK = 50;

    private static final int KEYS = 17;

    private Course() {}

    /** The key of a producer's message with a number; null for none. */
    public static String key(int number) {
        int block = number / BLOCK;
        return block % 3 == 0 ? "key" + block % KEYS : null;
    }

    /**
     * The ring of a run.
     *
     * @param lanes how many lanes are usual for its store
     */
    public static RingSpec ring(int lanes, long seed) {
        Scale scale = Scale.of(seed);
        Graph graph =
                stage("take")
                        .then(FanOut.to(stage("book")).and(stage("index")).then(stage(JOINED)));
        return RingSpec.named(RING)
                .lanes(scale.lanes(lanes, seed))
                .messages(scale.messages())
                .bytes(scale.bytes())
                .graph(graph);
    }

    /** A stage of the course. */
    public static StageSpec stage(String name) {
        StageSpec stage =
                StageSpec.named(name)
                        .lease(LEASE)
                        .tries(TRIES)
                        .backoff(Duration.ofMillis(50), Duration.ofMillis(LONGEST_BACKOFF));
        return ORDERED.contains(name) ? stage.ordered() : stage;
    }
}

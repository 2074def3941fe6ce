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
 * The ring that is tortured: a diamond with pools and an ordered stage, and a visitor, which is
 * ordered too, joins behind the first stage and leaves.
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

    /** The stage whose words are all in a transaction with their effects. */
    public static final String JOINED = "post";

    /** Every stage's lease. */
    public static final Duration LEASE = Duration.ofMillis(1_500);

    /** How long a failed message waits at most, in milliseconds, where its worker does not say. */
    public static final int LONGEST_BACKOFF = 400;

    /** How often a message is handed out at most before it is dead. */
    public static final int TRIES = 5;

    /** The ring's capacity, small enough that pushes meet the gate. */
    public static final long MESSAGES = 100_000;

    /**
     * More bytes than that many messages have, and yet so few that PostgreSQL's segments are of the
     * smallest kind, and go round soon.
     */
    private static final long PLENTY = 64L << 20;

    /** Fewer bytes than half of that many messages have. */
    private static final long FEW = 4L << 20;

    /** How many messages a producer pushes together at most. */
    public static final int TOGETHER = 2_000;

    /** How many bytes these have at most, if not more than ten of them are large. */
    public static final long TOGETHER_BYTES = 512L << 10;

    /** How many messages a worker claims at most. */
    public static final int CLAIMED = 3_000;

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

    /** So many messages of a producer in a row have the same key, or none. */
    private static final int BLOCK = 50;

    private static final int KEYS = 17;

    private Course() {}

    /** The key of a producer's message with a number; null for none. */
    public static String key(int number) {
        int block = number / BLOCK;
        return block % 3 == 0 ? "key" + block % KEYS : null;
    }

    /**
     * The ring.
     *
     * @param isShort whether it is bytes that it runs out of, and not messages
     */
    public static RingSpec ring(int lanes, boolean isShort) {
        Graph graph =
                stage("take")
                        .then(FanOut.to(stage("book")).and(stage("index")).then(stage(JOINED)));
        return RingSpec.named(RING)
                .lanes(lanes)
                .messages(MESSAGES)
                .bytes(isShort ? FEW : PLENTY)
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

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a ring is declared to be. Two specs are equal if they declare the same ring, whatever the
 * order of the declaration.
 *
 * @param name see {@link Names}
 * @param lanes how many lanes, 1 to 1,024, fixed at creation; 0 means the engine's default
 * @param messages how many messages the ring holds at most
 * @param bytes how many bytes of messages the ring holds at most
 * @param stages what each stage is and which stages it follows
 */
public record RingSpec(String name, int lanes, long messages, long bytes, Stages stages) {

    /** One million messages. */
    public static final long DEFAULT_MESSAGES = 1_000_000;

    /** One gibibyte. */
    public static final long DEFAULT_BYTES = 1L << 30;

    /** The only stage of a ring that was declared without a graph. */
    public static final String DEFAULT_STAGE = "main";

    public RingSpec {
        Names.check("ring", name);
        Objects.requireNonNull(stages, "stages");
        if (lanes < 0 || lanes > 1024) {
            throw new IllegalArgumentException(
                    "ring '" + name + "': " + lanes + " lanes; use 1 to 1,024");
        }
        checkCapacity(name, messages, bytes);
    }

    /** Refuses a capacity of nothing. */
    public static void checkCapacity(String name, long messages, long bytes) {
        if (messages < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "ring '"
                            + name
                            + "': a capacity of "
                            + messages
                            + " messages and "
                            + bytes
                            + " bytes; both must be 1 or more");
        }
    }

    /** A ring with the defaults and the one stage {@code main}. */
    public static RingSpec named(String name) {
        Stages main = Stages.of(Graph.of(DEFAULT_STAGE));
        return new RingSpec(name, 0, DEFAULT_MESSAGES, DEFAULT_BYTES, main);
    }

    /** This ring with lanes, 1 to 1,024; by default as many as its engine gives. */
    public RingSpec lanes(int newLanes) {
        if (newLanes < 1) {
            throw new IllegalArgumentException(
                    "ring '" + name + "': " + newLanes + " lanes; use 1 to 1,024");
        }
        return new RingSpec(name, newLanes, messages, bytes, stages);
    }

    /** This ring with room for another number of messages, 1 or more. */
    public RingSpec messages(long newMessages) {
        return new RingSpec(name, lanes, newMessages, bytes, stages);
    }

    /** This ring with room for another number of bytes, 1 or more. */
    public RingSpec bytes(long newBytes) {
        return new RingSpec(name, lanes, messages, newBytes, stages);
    }

    /** This ring with another graph of stages. */
    public RingSpec graph(Graph graph) {
        return new RingSpec(name, lanes, messages, bytes, Stages.of(graph));
    }

    /** This ring with a graph given as stages and, for each, those that it follows. */
    public RingSpec graph(List<StageSpec> specs, Map<String, Set<String>> after) {
        return new RingSpec(name, lanes, messages, bytes, Stages.of(specs, after));
    }
}

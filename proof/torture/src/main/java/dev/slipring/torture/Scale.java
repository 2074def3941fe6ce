// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import dev.slipring.graph.RingSpec;

/** How much the tortured ring holds, and how much is pushed into it and claimed at once. */
public enum Scale {
    /** A ring that has room for many messages, of which each slot may have many. */
    WIDE(100_000, 64L << 20),

    /** The same with room for so few bytes that pushes meet the gate because of them. */
    SHORT(100_000, 4L << 20),

    /**
     * A ring that goes around within a lease; a claim may have most of what it holds. Most of its
     * slots have one message, the others some.
     */
    SMALL(24, 64L << 20);

    private static final int SEEDS = 4;

    private final long messages;

    /**
     * The capacity in bytes. Even where it is plenty it is small enough that PostgreSQL's segments
     * are of the smallest kind, and go round soon.
     */
    private final long bytes;

    Scale(long messages, long bytes) {
        this.messages = messages;
        this.bytes = bytes;
    }

    /** The scale of a run: short with an even seed, small with every second odd one. */
    static Scale of(long seed) {
        int turn = Math.floorMod(seed, SEEDS);
        return turn % 2 == 0 ? SHORT : turn == SEEDS - 1 ? SMALL : WIDE;
    }

    /** The scale of a ring that was made with one. */
    public static Scale of(RingSpec ring) {
        for (Scale scale : values()) {
            if (scale.messages == ring.messages() && scale.bytes == ring.bytes()) {
                return scale;
            }
        }
        throw new IllegalArgumentException("a ring of another scale: " + ring);
    }

    /** The capacity in messages, small enough that pushes meet the gate. */
    public long messages() {
        return messages;
    }

    /** The capacity in bytes. */
    public long bytes() {
        return bytes;
    }

    /** How many lanes the ring has, where so many are usual. A small one has a lane or two. */
    int lanes(int usual, long seed) {
        return this == SMALL ? Math.min(usual, 1 + Math.floorMod(seed / SEEDS, 2)) : usual;
    }

    /** How many messages a producer pushes together at most. */
    public int together() {
        return this == SMALL ? 4 : 2_000;
    }

    /** How many bytes such a push has at most, if no more than ten of its messages are large. */
    public long togetherBytes() {
        return 512L << 10;
    }

    /** How many messages a producer pushes one by one without waiting in between. */
    public int async() {
        return this == SMALL ? 4 : 200;
    }

    /** How many messages a producer pushes in a transaction at most. */
    public int joined() {
        return this == SMALL ? 3 : 30;
    }

    /** How many messages a worker claims at most. */
    public int claimed() {
        return this == SMALL ? 20 : 3_000;
    }

    /**
     * How many times as long as elsewhere it takes until workers are in a bad mood again: a small
     * ring soon waits as a whole for one of them.
     */
    public int patience() {
        return this == SMALL ? 8 : 1;
    }

    /** One of so many messages cannot be handled in one of the stages while there is trouble. */
    public int perPoison() {
        return this == SMALL ? 60 : 3_000;
    }

    /** How many of ten pushes are of one message. */
    public int ones() {
        return this == SMALL ? 7 : 2;
    }
}

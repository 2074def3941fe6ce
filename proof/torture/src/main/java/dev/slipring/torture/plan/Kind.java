// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.plan;

/** A kind of fault, and how frequent it is among all. */
public enum Kind {
    KILL_WORKER("kill -9 of a worker's process", 34),
    KILL_PRODUCER("kill -9 of a producer's process", 26),
    KILL_ALL("kill -9 of all processes at once", 2),
    STOP_WORKER("SIGSTOP of a worker, SIGCONT later", 10),
    STOP_PRODUCER("SIGSTOP of a producer, SIGCONT later", 4),
    HOLD_READ("a long transaction that reads", 4),
    HOLD_WRITE("a long transaction that writes, rolled back", 4),
    PAUSE("a stage paused, resumed later", 4),
    REWIND("a stage rewound", 4),
    VISIT("a stage joins, or leaves", 4),
    RETRY_DEAD("dead letters retried", 4),
    KILL_SERVER("kill -9 of the server, started again", 0),
    FILL_DISK("the disk full for a while", 0),
    CUT_WIRE("all connections cut", 0),
    LOSE_ANSWERS("answers lost, then the connections cut", 0),
    STALL_WIRE("connections that stall, and go on", 0),
    NEXT_SEGMENT("the next segment begins", 0),
    HOLD_SEGMENT("a long transaction that has read a segment", 0);

    private final String words;
    private final int weight;

    Kind(String words, int weight) {
        this.words = words;
        this.weight = weight;
    }

    /** What it is, in words for people. */
    public String words() {
        return words;
    }

    int weight() {
        return weight;
    }
}

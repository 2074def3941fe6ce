// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.time.Duration;

/**
 * What a queue has to be made for.
 *
 * @param capacity how many messages may wait; a push beyond it waits
 * @param stages how many stages are to see every message
 * @param lanes how many lanes a ring has; 0 for its engine's default
 * @param patience how long a push waits for room
 */
public record Plan(long capacity, int stages, int lanes, Duration patience) {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A plan whose pushes wait for room for longer than any should have to. */
    public Plan(long capacity, int stages) {
        this(capacity, stages, 0, PATIENCE);
    }

    /** The same with another number of lanes. */
    public Plan lanes(int newLanes) {
        return new Plan(capacity, stages, newLanes, patience);
    }

    /** The same with another wait for room. */
    public Plan patience(Duration newPatience) {
        return new Plan(capacity, stages, lanes, newPatience);
    }
}

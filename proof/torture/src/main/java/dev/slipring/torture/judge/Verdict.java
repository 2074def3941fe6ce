// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.List;

/**
 * The judge's result.
 *
 * @param messages how many messages the ring took
 * @param redeliveries how many of them were handed out again, counted for each stage anew
 * @param lost how many messages were acknowledged and did not reach a stage
 * @param stallMillis the longest time in which nothing became done in any stage
 * @param waitMillis the longest that a message waited whose lease had run out or whose retry was
 *     due
 * @param waitOf the message that waited so long: stage, lane, position
 * @param recoveryMillis the longest time from when a server was back to when a message was done
 * @param violations what was broken
 */
public record Verdict(
        long messages,
        long redeliveries,
        long lost,
        long stallMillis,
        long waitMillis,
        String waitOf,
        long recoveryMillis,
        List<Violation> violations) {

    public Verdict {
        violations = List.copyOf(violations);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.List;

/**
 * How it ended.
 *
 * @param messages how many messages the ring took
 * @param redeliveries how many of them were handed out again, counted by stage
 * @param lost how many messages that were acknowledged did not reach a stage
 * @param stallMillis the longest time in which nothing became done in any stage
 * @param waitMillis the longest that a message waited that had run out or was due again
 * @param waitOf which message that was: stage, lane, position
 * @param recoveryMillis the longest from a server that is back to a message that is done
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

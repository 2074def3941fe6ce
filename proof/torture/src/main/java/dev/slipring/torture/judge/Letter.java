// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/**
 * A dead letter, as it was shown.
 *
 * @param begin when the list was asked for
 * @param end when it was answered
 * @param stage the stage in which it is dead
 * @param lane its lane
 * @param run its position, what was pushed, and how many attempts there were
 * @param cause what ended it
 */
record Letter(long begin, long end, String stage, int lane, Run run, Cause cause) {

    String id() {
        return lane + "-" + run.position();
    }
}

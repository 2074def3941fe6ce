// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

/**
 * Which messages were handed out again in the stages that a stage follows. The stage may have
 * passed them by, and then gets them late.
 */
final class Again {

    private static final int ONCE = 0;
    private static final int ANEW = 1;
    private static final int RETRIED = 2;

    private final Columns known = new Columns();

    Again(History history, String stage) {
        for (String above : Course.ANCESTORS.get(stage)) {
            Columns seen = new Columns();
            history.of(above).forEach(hand -> note(hand, seen));
        }
    }

    private void note(Hand hand, Columns seen) {
        Column of = known.of(hand.lane);
        Column before = seen.of(hand.lane);
        for (Run run : hand.runs) {
            for (long at = run.position(); at < run.end(); at++) {
                int how = before.get(at) < 0 ? ONCE : ANEW;
                of.set(at, Math.max(of.get(at), run.attempt() > 1 ? RETRIED : how));
                before.set(at, 1);
            }
        }
    }

    /** Whether a message came at a second attempt or a later one. */
    boolean wasRetried(int lane, long at) {
        return known.of(lane).get(at) == RETRIED;
    }

    /** Whether a message came twice, also if only because its stage was rewound. */
    boolean cameTwice(int lane, long at) {
        return known.of(lane).get(at) >= ANEW;
    }
}

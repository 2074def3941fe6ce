// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.jcstress;

import dev.slipring.ring.Sequence;

import java.util.concurrent.TimeUnit;

/**
 * Waiting in an actor: long enough for any machine. The run has threads that sleep look by
 * themselves only later, so a wake-up that is lost fails rather than hides or hangs.
 */
final class Patience {

    private static final long LIMIT = TimeUnit.SECONDS.toNanos(10);

    private static volatile boolean lost;

    private Patience() {}

    /** Whether a loop goes on without end; once one did, the others need not be waited for. */
    static boolean isLost(long start) {
        if (System.nanoTime() - start > LIMIT) {
            lost = true;
        }
        return lost;
    }

    static long waitFor(Sequence sequence) {
        try {
            return sequence.waitForNext(1, LIMIT);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

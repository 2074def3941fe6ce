// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.jcstress;

import dev.slipring.ring.Sequence;

import java.util.concurrent.TimeUnit;

/**
 * Waiting in an actor, long enough for any machine. In this run, threads that sleep look by
 * themselves only after that time, so a lost wake-up makes the test fail, and neither hides nor
 * hangs.
 */
final class Patience {

    private static final long LIMIT = TimeUnit.SECONDS.toNanos(10);

    private static volatile boolean lost;

    private Patience() {}

    /** Whether a loop has gone on for too long. Once one has, all others end at once, too. */
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

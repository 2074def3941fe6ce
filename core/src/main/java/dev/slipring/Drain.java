// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.journal.Journal;
import dev.slipring.waiting.Signal;

/** A wait until a ring has nothing left that could be done now. Used by one thread. */
final class Drain {

    private static final long LOOK_NANOS = 10_000_000;

    private final Ring ring;
    private final Signal signal;
    private final long deadline;

    /** A wait until a time ({@link System#nanoTime}); the signal tells of changes. */
    Drain(Ring ring, Signal signal, long deadline) {
        this.ring = ring;
        this.signal = signal;
        this.deadline = deadline;
    }

    /**
     * Waits.
     *
     * @param journal what this process writes to the ring; null if it never wrote anything
     * @return whether that came about in time; false also if the thread is interrupted
     */
    boolean await(Journal journal) {
        try {
            // What is not in the store yet is seen by no look at the stages.
            return (journal == null || journal.await(deadline)) && await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean await() throws InterruptedException {
        while (true) {
            long seen = signal.changes();
            if (ring.info().stages().stream().allMatch(Drain::isDrained)) {
                return true;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            signal.await(seen, Math.min(left, LOOK_NANOS));
        }
    }

    /** Whether a stage has nothing left that could be done now. */
    static boolean isDrained(Survey.StageSurvey stage) {
        boolean retryDue = stage.nextRetry() != null && stage.nextRetry().toMillis() <= 0;
        return stage.lag() == stage.outOfReach() && stage.inHand().isEmpty() && !retryDue;
    }
}

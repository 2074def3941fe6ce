// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Claim;
import dev.slipring.torture.Ticks;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A worker asks for messages. It is written down before and after: who was killed between the two,
 * or got an error, may have a claim that nobody knows of.
 */
final class Asking {

    private static final AtomicLong LAST = new AtomicLong();

    private final JournalFile journal;
    private final String stage;
    private final int max;

    /** Later than that of any other of this process, so that it names this one. */
    private final long begin = LAST.accumulateAndGet(Ticks.now(), (l, now) -> Math.max(l + 1, now));

    /** Writes down that a stage is now asked for so many messages at most. */
    Asking(JournalFile journal, String stage, int max) {
        this.journal = journal;
        this.stage = stage;
        this.max = max;
        journal.writeAt(begin, "ask", stage, max);
    }

    int max() {
        return max;
    }

    /** Writes down a claim; returns whether there is anything in it. */
    boolean answered(Claim claim) {
        long end = Ticks.now();
        if (claim.isEmpty()) {
            nothing(end);
            return false;
        }
        journal.writeAt(
                end, "claim", begin, stage, claim.lane(), Runs.of(claim.deliveries()));
        return true;
    }

    /** Writes down that there was nothing. */
    void nothing(long end) {
        journal.writeAt(end, "none", begin, stage);
    }

    /** Writes down a claim that has a name of its own. */
    void got(long end, int lane, String runs, String name) {
        journal.writeAt(end, "claim", begin, stage, lane, runs, name);
    }
}

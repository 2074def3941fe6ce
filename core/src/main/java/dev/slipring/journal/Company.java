// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long the journal's writer waits for the threads of the last group to push again: at most 100
 * µs. They were all told at one time, so they come back at about one time, and a push of all costs
 * a store little more than a push of one. Who is alone never waits. Used by whoever writes.
 */
final class Company {

    /** About as long as a thread takes to wake up. */
    private static final long MOST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final LongSupplier nanos;
    private int expected;

    /** Nobody so far; by a clock of nanoseconds. */
    Company(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A group is written: those of it who wait for that may come back. */
    void writes(Collection<Entry> group) {
        expected = (int) group.stream().filter(entry -> entry.owner != null).count();
    }

    /** Waits until as many as the last time have gathered. */
    void await(Intake intake, Collection<Entry> pending) {
        if (pending.size() >= expected) {
            return;
        }
        long until = nanos.getAsLong() + MOST_NANOS;
        while (pending.size() < expected && nanos.getAsLong() - until < 0) {
            Thread.yield();
            intake.drainTo(pending);
        }
    }
}

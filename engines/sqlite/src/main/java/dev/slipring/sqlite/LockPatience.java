// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How long, and in what steps, to wait for a lock of another process. SQLite's own waiting sleeps
 * for whole milliseconds and more; most locks are held for less.
 */
final class LockPatience {

    private static final int SPINS = 20;
    private static final long SHORTEST_NANOS = 200_000;
    private static final long LONGEST_NANOS = 2_000_000;

    private final Duration most;

    LockPatience(Duration most) {
        this.most = most;
    }

    /** Runs work again and again until no lock is in the way, or the time is up. */
    <T> T insist(Supplier<T> work) {
        return insist(most.toNanos(), work);
    }

    private static <T> T insist(long nanos, Supplier<T> work) {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            for (int tries = 0; ; tries++) {
                try {
                    return work.get();
                } catch (SqlFailed e) {
                    if (!e.isBusy() || System.nanoTime() - end >= 0) {
                        throw e;
                    }
                }
                pause(tries);
                // An interrupted thread would not sleep; it may be doing the work of others too.
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The same for work without a result. */
    void insist(Runnable work) {
        insist(most.toNanos(), work);
    }

    /** The same for another time. */
    static void insist(long nanos, Runnable work) {
        insist(
                nanos,
                () -> {
                    work.run();
                    return null;
                });
    }

    /** How long that is if nobody says otherwise. */
    Duration most() {
        return most;
    }

    private static void pause(int tries) {
        if (tries < SPINS) {
            Thread.onSpinWait();
            Thread.yield();
        } else {
            long bound = Math.min(SHORTEST_NANOS << Math.min(tries - SPINS, 10), LONGEST_NANOS);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_NANOS, bound + 1));
        }
    }
}

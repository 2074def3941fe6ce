// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.time.Duration;

/**
 * How a queue is used in one run.
 *
 * @param what how it differs from the plain experiment; empty for the plain one
 * @param threads how many threads push, and how many pop
 * @param slots how many slots a ring has
 * @param most how many messages a pop takes in one transaction
 * @param pops whether there are threads that pop
 * @param synced whether a commit waits for the disk
 * @param headStart how long only pushes run at first; that time is not measured
 */
record Experiment(
        String what,
        int threads,
        long slots,
        int most,
        boolean pops,
        boolean synced,
        Duration headStart) {

    private static final long SLOTS = 20_000;
    private static final long MANY_SLOTS = 2_000_000;

    /** Enough slots that a window of pushes alone does not fill them. */
    private static final long ENOUGH_SLOTS = 500_000;

    private static final int MANY = 100;

    /** Pushes and pops of one message, in a ring of 20,000 slots. */
    static Experiment plain(int threads) {
        return new Experiment("", threads, SLOTS, 1, true, true, Duration.ZERO);
    }

    /** Pushes alone. */
    static Experiment pushes(int threads) {
        return new Experiment("pushes alone", threads, ENOUGH_SLOTS, 1, false, true, Duration.ZERO);
    }

    static Experiment popsOfMany(int threads) {
        return new Experiment("pops of 100", threads, SLOTS, MANY, true, true, Duration.ZERO);
    }

    static Experiment manySlots(int threads) {
        return new Experiment("2,000,000 slots", threads, MANY_SLOTS, 1, true, true, Duration.ZERO);
    }

    static Experiment unsynced(int threads) {
        return new Experiment("not synced", threads, SLOTS, 1, true, false, Duration.ZERO);
    }

    /** Pops begin when there are messages. */
    static Experiment withHeadStart(int threads) {
        return new Experiment(
                "head start of 1 s", threads, SLOTS, 1, true, true, Duration.ofSeconds(1));
    }

    /** Whether the run is to show where the time goes. */
    boolean isWatched() {
        return what.isEmpty();
    }
}

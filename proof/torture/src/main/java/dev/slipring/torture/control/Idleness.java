// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.torture.arena.Arena;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Promise 10: when all is done and all processes wait, nothing is written to the store, and no
 * process keeps a processor busy. What is left over from the work before, such as copying a log,
 * may be finished first.
 */
final class Idleness {

    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final int MOST_LOOKS = 12;

    /**
     * The most of one processor that all processes together may use; far less than a single thread
     * that spins.
     */
    private static final double MOST_LOAD = 0.15;

    private final Arena arena;
    private final Crew crew;
    private long millis;
    private boolean writes;
    private double load;

    Idleness(Arena arena, Crew crew) {
        this.arena = arena;
        this.crew = crew;
    }

    /** Says, as text, if there are writes or load although there is nothing to do. */
    Optional<String> find() throws IOException, SQLException, InterruptedException {
        if (arena.mark().isEmpty()) {
            return Optional.empty();
        }
        crew.rest();
        long begin = System.nanoTime();
        for (int i = 0; i < MOST_LOOKS; i++) {
            look();
            millis = Duration.ofNanos(System.nanoTime() - begin).minus(LOOK).toMillis();
            if (!writes && load < MOST_LOAD) {
                return Optional.empty();
            }
        }
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "promise 10: all is done and everybody waits, and for %d s %s, and the"
                                + " processes together keep %.0f %% of a processor busy",
                        LOOK.toSeconds() * MOST_LOOKS,
                        writes ? "the store is written to" : "nothing is written",
                        100 * load));
    }

    /** How many milliseconds it took from when all was done until nothing was written any more. */
    long millis() {
        return millis;
    }

    /** How much of one processor all processes together used at the last look. */
    double load() {
        return load;
    }

    private void look() throws IOException, SQLException, InterruptedException {
        Optional<String> before = arena.mark();
        Duration cpu = crew.cpu();
        long begin = System.nanoTime();
        Thread.sleep(LOOK.toMillis());
        load = (double) crew.cpu().minus(cpu).toNanos() / (System.nanoTime() - begin);
        writes = !arena.mark().equals(before);
    }
}

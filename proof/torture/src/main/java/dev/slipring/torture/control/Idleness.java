// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.torture.arena.Arena;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Promise 10: when all is done and everybody waits, the store is not written to, and nobody keeps a
 * processor busy. What the work before has left to do, as a log that is copied, may come to its end
 * first.
 */
final class Idleness {

    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final int MOST_LOOKS = 12;

    /** Of one processor, all processes together; far from what one that spins takes. */
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

    /** What is written or done though there is nothing to do, in words; empty if nothing is. */
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

    /** How long it took from when all was done until nothing was written. */
    long millis() {
        return millis;
    }

    /** How much of a processor all processes together kept busy when they were looked at last. */
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

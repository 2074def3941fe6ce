// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for conditions, not for time. */
final class Wait {

    /** The longest wait for something that is sure to come, on a slow machine. */
    static final Duration LONGEST = Duration.ofMinutes(2);

    private Wait() {}

    /** Waits until the condition holds; fails with these words if it never does. */
    static void until(String words, BooleanSupplier condition) {
        until(LONGEST, words, condition);
    }

    /** Waits this long at the most. */
    static void until(Duration longest, String words, BooleanSupplier condition) {
        long deadline = System.nanoTime() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + longest.toSeconds() + " s: " + words);
            }
            sleep(Duration.ofMillis(2));
        }
    }

    static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}

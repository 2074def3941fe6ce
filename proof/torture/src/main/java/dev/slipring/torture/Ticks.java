// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

/**
 * The clock of the journals: microseconds of the machine's monotonic clock, the same in all
 * processes.
 */
public final class Ticks {

    private Ticks() {}

    /** Now. */
    public static long now() {
        return System.nanoTime() / 1_000;
    }
}

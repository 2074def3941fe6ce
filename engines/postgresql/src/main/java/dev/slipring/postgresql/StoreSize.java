// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How large the store is. The server looks at each file for it, some 35 for a ring of eight lanes,
 * so with many rings the answer holds for a while: asking takes a twentieth of the time at most.
 */
final class StoreSize {

    private static final int WHILE = 20;

    /** So long it holds at most. */
    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** An answer, and until when it holds. */
    private record Known(long bytes, long until) {}

    private final LongSupplier nanos;
    private volatile Known known;

    /**
     * None so far.
     *
     * @param nanos the time, as {@link System#nanoTime} tells it
     */
    StoreSize(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * In bytes.
     *
     * @param server asks the server
     */
    long bytes(LongSupplier server) {
        long began = nanos.getAsLong();
        Known before = known;
        if (before != null && began - before.until() < 0) {
            return before.bytes();
        }
        long bytes = server.getAsLong();
        long ended = nanos.getAsLong();
        known = new Known(bytes, ended + Math.min(WHILE * (ended - began), MOST_NANOS));
        return bytes;
    }
}

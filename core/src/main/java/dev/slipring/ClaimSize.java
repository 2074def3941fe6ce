// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * How many messages a worker claims at a time: as many as it handles in about a twentieth of a
 * second, so that fast handlers share a transaction among many messages and slow ones leave
 * messages to others. Thread-safe.
 */
final class ClaimSize {

    private static final long TARGET_NANOS = 50_000_000;

    private final int most;
    private int size = 1;

    ClaimSize(int most) {
        this.most = most;
    }

    synchronized int next() {
        return size;
    }

    /** Learns from a claim that was handled. */
    synchronized void learn(int messages, long nanos) {
        if (messages == size && nanos < TARGET_NANOS / 2) {
            size = Math.min(most, size * 2);
        } else if (nanos > TARGET_NANOS * 2) {
            size = Math.max(1, size / 2);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.waiting.Ear;
import dev.slipring.waiting.Signal;

/**
 * How somebody who waits for a ring is woken.
 *
 * @param signal raised by this process
 * @param ear raises it for other processes
 * @param line where those who wait for the same stage stand in line
 * @param circle workers of whom one waits for all, and whose words are no news to each other; null
 *     for somebody alone
 */
record Wake(Signal signal, Ear ear, Line line, Signal.Circle circle) {

    /** For somebody alone. */
    Wake(Signal signal, Ear ear, Line line) {
        this(signal, ear, line, null);
    }

    /** The same for workers of whom one waits for all. */
    Wake together() {
        return new Wake(signal, ear, line, new Signal.Circle());
    }

    /** How often there was news. */
    long changes() {
        return signal.changes(circle);
    }

    /**
     * There is news.
     *
     * @param own whether it is no news to the circle
     */
    void raise(boolean own) {
        signal.raise(own ? circle : null);
    }

    /**
     * Waits for news.
     *
     * @return false if the thread is interrupted
     */
    boolean await(long seen, long nanos) {
        ear.open();
        try {
            signal.await(circle, seen, nanos);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.BetweenTries;
import dev.slipring.engine.Claimed;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a claim goes on to look: as long as its caller waits, and for a moment in any case while
 * others have lanes. Used by one thread.
 */
final class Span {

    private static final long LEFT_OUT_NANOS = BetweenTries.OTHERS.toNanos();

    private static final long PAUSE_MILLIS = 1;

    private final long begin = System.nanoTime();
    private final long wait;

    Span(Duration wait) {
        this.wait = nanos(wait);
    }

    private Span(long wait) {
        this.wait = wait;
    }

    /** What is left of it, for a caller who begins to look only now. */
    Span rest() {
        return new Span(Math.max(0, left()));
    }

    /** A time in nanoseconds: as many as there can be if it is longer, none if it is below zero. */
    static long nanos(Duration time) {
        return Math.max(0, TimeUnit.NANOSECONDS.convert(time));
    }

    /** How long its caller goes on to wait, in nanoseconds; zero or less for not at all. */
    long left() {
        return wait - (System.nanoTime() - begin);
    }

    /** Whether a claim that found nothing is not to be followed by another. */
    boolean isOver(Claimed nothing) {
        long whole = nothing.leftOut() ? Math.max(wait, LEFT_OUT_NANOS) : wait;
        return whole - (System.nanoTime() - begin) <= 0;
    }

    /** Waits until it is time for the next; returns false if the thread is interrupted. */
    boolean sleep(Wake wake, Lookout known) {
        long left = left();
        if (left > 0) {
            return wake.await(known.seen(), Math.min(left, known.left()));
        }
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

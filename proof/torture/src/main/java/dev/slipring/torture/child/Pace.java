// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import java.util.concurrent.TimeUnit;

/** How fast a producer may push, counted from its start. For one thread. */
final class Pace {

    private static final long STEP_MILLIS = 50;

    private final double rate;
    private final long begin = System.nanoTime();

    /**
     * A pace.
     *
     * @param rate messages a second; 0 for no limit
     */
    Pace(double rate) {
        this.rate = rate;
    }

    /**
     * Waits until more than {@code pushed} messages may be pushed, or until the producer is told to
     * stop.
     */
    void await(int pushed, Orders orders) throws InterruptedException {
        if (rate == 0) {
            return;
        }
        long due = begin + (long) (pushed / rate * TimeUnit.SECONDS.toNanos(1));
        while (System.nanoTime() - due < 0 && !orders.stopped()) {
            Thread.sleep(STEP_MILLIS);
        }
    }
}

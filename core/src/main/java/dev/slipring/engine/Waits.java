// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.time.Duration;
import java.util.List;

/** Where the time of a server goes, by its own figures. One thread at a time. */
public interface Waits extends AutoCloseable {

    /**
     * What all of the server's threads waited for in an interval that begins now; blocks as long.
     */
    List<Wait> over(Duration interval) throws InterruptedException;

    @Override
    void close();

    /**
     * One reason to wait.
     *
     * @param kind what sort of thing was waited for, in the server's words: wait, latch, spinlock
     * @param name its name, as the server's manual has it
     * @param count how often, or how often it was seen; of a spinlock, how many turns were spun
     * @param time how long in sum, or about; null where the server does not say
     * @param signal how much of that time nothing but a core was missing; null where the server
     *     does not say
     */
    record Wait(String kind, String name, long count, Duration time, Duration signal) {}
}

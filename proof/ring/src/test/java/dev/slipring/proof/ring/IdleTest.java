// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** A stage with nothing to do, waiting as is the default: what it costs, and how fast it wakes. */
@Timeout(60)
class IdleTest {

    private final SPSequence producer = new SPSequence(64);
    private final SCSequence stage = new SCSequence();
    private final AtomicLong wokenAt = new AtomicLong();

    private Thread start() {
        producer.then(stage).then(producer);
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                long cursor;
                                while ((cursor = stage.waitForNext()) >= 0) {
                                    wokenAt.set(System.nanoTime());
                                    stage.done(cursor);
                                }
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        thread.start();
        return thread;
    }

    private static void untilParked(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void costsUnderOneHundredthOfACore() throws Exception {
        Thread thread = start();
        untilParked(thread);
        // A span to measure over, not a wait for something to happen.
        Thread.sleep(100);
        long cpu = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
        long start = System.nanoTime();
        Thread.sleep(1_000);
        long used = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()) - cpu;
        assertThat((double) used / (System.nanoTime() - start)).isLessThan(0.01);
        producer.close();
        thread.join();
    }

    @Test
    void wakesSoon() throws Exception {
        Thread thread = start();
        long[] micros = new long[200];
        for (int i = 0; i < micros.length; i++) {
            Thread.sleep(3);
            untilParked(thread);
            long cursor = producer.waitForNext();
            wokenAt.set(0);
            long published = System.nanoTime();
            producer.done(cursor);
            while (wokenAt.get() == 0) {
                Thread.onSpinWait();
            }
            micros[i] = (wokenAt.get() - published) / 1_000;
        }
        producer.close();
        thread.join();
        Arrays.sort(micros);
        System.out.println("woken within " + micros[100] + " us, one in ten above " + micros[180]);
        // The machine may be busy with others: of the fast half one can be sure.
        assertThat(micros[100]).isLessThan(1_000);
    }
}

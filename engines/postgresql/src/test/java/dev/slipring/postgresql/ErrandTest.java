// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Work that is asked for is done once for all threads that asked before it began. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ErrandTest {

    private final Semaphore begun = new Semaphore(0);
    private final Semaphore goOn = new Semaphore(0);
    private final AtomicInteger times = new AtomicInteger();

    private long work() {
        times.incrementAndGet();
        begun.release();
        goOn.acquireUninterruptibly();
        return 0;
    }

    @Test
    void whoAsksWhileItIsDoneHasItDoneOnceMore() {
        try (Errand errand = new Errand("errand", this::work)) {
            errand.ask();
            begun.acquireUninterruptibly();
            errand.ask();
            errand.ask();
            goOn.release(2);
            begun.acquireUninterruptibly();
        }
        assertThat(times).hasValue(2);
    }

    @Test
    void itIsDoneAgainAfterItBroke() {
        try (Errand errand =
                new Errand(
                        "errand",
                        () -> {
                            begun.release();
                            if (times.incrementAndGet() == 1) {
                                throw new StackOverflowError("by plan");
                            }
                            return 0;
                        })) {
            errand.ask();
            begun.acquireUninterruptibly();
            errand.ask();
            begun.acquireUninterruptibly();
        }
        assertThat(times).hasValue(2);
    }

    @Test
    void nobodyIsLeftWhenItIsClosed() {
        Errand errand = new Errand("errand that ends", this::work);
        goOn.release(10);
        errand.ask();
        begun.acquireUninterruptibly();
        errand.close();
        errand.ask();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("errand that ends"));
    }
}

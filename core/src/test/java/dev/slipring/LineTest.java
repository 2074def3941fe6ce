// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Of those who wait for messages of a stage so many look; the others wait for their turn. */
@Timeout(60)
class LineTest {

    private static final long LONG = TimeUnit.MINUTES.toNanos(1);

    private static final Set<Thread.State> STANDING =
            EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private final Line line = new Line();
    private final Semaphore goOn = new Semaphore(0);
    private final AtomicInteger looking = new AtomicInteger();

    @AfterEach
    void letAllGo() {
        goOn.release(1_000);
    }

    private int look() {
        int now = looking.incrementAndGet();
        goOn.acquireUninterruptibly();
        looking.decrementAndGet();
        return now;
    }

    private Object fail() {
        throw new IllegalStateException("as planned");
    }

    private Thread comes() {
        Thread thread = new Thread(() -> line.inFront(LONG, this::look));
        thread.start();
        return thread;
    }

    private void fillTheFront() {
        for (int i = 0; i < Line.FRONT; i++) {
            comes();
        }
        while (looking.get() < Line.FRONT) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whoLeavesTheFrontLetsTheNextCome() throws Exception {
        fillTheFront();
        Thread next = comes();
        while (!STANDING.contains(next.getState())) {
            Thread.onSpinWait();
        }
        assertThat(looking).hasValue(Line.FRONT);
        goOn.release(Line.FRONT + 1);
        next.join();
        while (looking.get() > 0) {
            Thread.onSpinWait();
        }
    }

    /** As who had no place there would have done at last. */
    @Test
    void whoWaitsNoLongerLooksOnceMore() {
        fillTheFront();
        assertThat(line.inFront(1_000_000, () -> "looked")).isEqualTo("looked");
        assertThat(line.inFront(0, () -> "looked")).isEqualTo("looked");
    }

    /** Else claims without a wait would stand behind those that wait for a store. */
    @Test
    void whoDoesNotWaitStandsNowhere() {
        fillTheFront();
        for (int i = 0; i < Line.FRONT; i++) {
            new Thread(() -> line.inFront(1, this::look)).start();
        }
        while (looking.get() < 2 * Line.FRONT) {
            Thread.onSpinWait();
        }
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(line.inFront(0, () -> "looked")).isEqualTo("looked"));
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        fillTheFront();
        Thread.currentThread().interrupt();
        assertThat(line.inFront(LONG, () -> "looked")).isEqualTo("looked");
        assertThat(Thread.interrupted()).isTrue();
    }

    /** Whoever breaks off leaves his place. */
    @Test
    void whoFailsLeavesTheFront() {
        for (int i = 0; i < 2 * Line.FRONT; i++) {
            assertThatThrownBy(() -> line.inFront(LONG, this::fail)).hasMessage("as planned");
        }
    }
}

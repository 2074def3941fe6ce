// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.StoreFailed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Who listens hears of the next change, whatever the watch met before. */
@Timeout(60)
class ChangeWatchTest {

    private static ChangeWatch watch(BooleanSupplier look) {
        return new ChangeWatch(
                "watch under test", look, (changed, took) -> TimeUnit.MILLISECONDS.sleep(1));
    }

    private static void hears(ChangeWatch watch) throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        try (AutoCloseable listening = watch.listen(heard::countDown)) {
            assertThat(heard.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aLookThatFailsEndsNoWatch() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        hears(
                watch(
                        () -> {
                            if (looks.incrementAndGet() <= 2) {
                                throw new OutOfMemoryError("by plan");
                            }
                            return true;
                        }));
    }

    @Test
    void aPauseThatFailsEndsNoWatch() throws Exception {
        AtomicInteger pauses = new AtomicInteger();
        hears(
                new ChangeWatch(
                        "watch under test",
                        () -> pauses.get() > 2,
                        (changed, took) -> {
                            if (pauses.incrementAndGet() <= 2) {
                                throw new OutOfMemoryError("by plan");
                            }
                            TimeUnit.MILLISECONDS.sleep(1);
                        }));
    }

    /** Else who waits would never learn that the store is away. */
    @Test
    void theFirstLookThatFailsIsHeardOf() throws Exception {
        AtomicInteger heard = new AtomicInteger();
        CountDownLatch many = new CountDownLatch(20);
        ChangeWatch watch =
                watch(
                        () -> {
                            many.countDown();
                            throw new StoreFailed("by plan");
                        });
        try (AutoCloseable listening = watch.listen(heard::incrementAndGet)) {
            assertThat(many.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(heard).hasValue(1);
        }
    }

    @Test
    void aHearerThatFailsDeafensNobody() throws Exception {
        ChangeWatch watch = watch(() -> true);
        CountDownLatch thrice = new CountDownLatch(3);
        try (AutoCloseable failing =
                watch.listen(
                        () -> {
                            thrice.countDown();
                            throw new IllegalStateException("by plan");
                        })) {
            hears(watch);
            assertThat(thrice.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anInterruptEndsAWatchButNotTheNext() throws Exception {
        Thread[] own = {null};
        CountDownLatch looked = new CountDownLatch(1);
        ChangeWatch watch =
                watch(
                        () -> {
                            own[0] = Thread.currentThread();
                            looked.countDown();
                            return true;
                        });
        try (AutoCloseable listening = watch.listen(() -> {})) {
            assertThat(looked.await(20, TimeUnit.SECONDS)).isTrue();
            own[0].interrupt();
            own[0].join();
            hears(watch);
        }
    }

    @Test
    void itEndsWhenNobodyListens() throws Exception {
        Thread[] own = {null};
        ChangeWatch watch =
                watch(
                        () -> {
                            own[0] = Thread.currentThread();
                            return true;
                        });
        hears(watch);
        own[0].join();
        assertThat(watch.isWanted()).isFalse();
        hears(watch);
    }
}

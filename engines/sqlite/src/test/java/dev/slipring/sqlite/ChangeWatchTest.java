// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Who listens hears of the next change, whatever the watch met before. */
@Timeout(60)
class ChangeWatchTest {

    @TempDir private Path folder;

    @Test
    void aLookThatFailsEndsNoWatch() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        ChangeWatch watch =
                new ChangeWatch(
                        folder.resolve("x.db"),
                        () -> {
                            if (looks.incrementAndGet() <= 2) {
                                throw new OutOfMemoryError("by plan");
                            }
                            return true;
                        });
        CountDownLatch heard = new CountDownLatch(1);
        try (AutoCloseable listening = watch.listen(heard::countDown)) {
            assertThat(heard.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anInterruptEndsAWatchButNotTheNext() throws Exception {
        Thread[] own = {null};
        CountDownLatch looked = new CountDownLatch(1);
        ChangeWatch watch =
                new ChangeWatch(
                        folder.resolve("x.db"),
                        () -> {
                            own[0] = Thread.currentThread();
                            looked.countDown();
                            return true;
                        });
        try (AutoCloseable listening = watch.listen(() -> {})) {
            assertThat(looked.await(20, TimeUnit.SECONDS)).isTrue();
            own[0].interrupt();
            own[0].join();
            CountDownLatch heard = new CountDownLatch(1);
            try (AutoCloseable again = watch.listen(heard::countDown)) {
                assertThat(heard.await(20, TimeUnit.SECONDS)).isTrue();
            }
        }
    }
}

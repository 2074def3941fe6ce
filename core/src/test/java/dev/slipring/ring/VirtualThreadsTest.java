// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.OnVirtualThreads;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * More virtual threads in a ring than there are to carry them: who waits lets the others run. One
 * that does not would keep what carries it until this Java ends.
 */
@Timeout(60)
@Tag("virtual-threads")
class VirtualThreadsTest {

    private static final int EACH = 200;

    private final int many = 4 * Runtime.getRuntime().availableProcessors();
    private final AtomicInteger taken = new AtomicInteger();

    static Stream<Waiting> family() {
        return Stream.of(
                Waiting.BUSY_SPIN,
                Waiting.YIELD,
                Waiting.PARK,
                Waiting.BLOCK,
                new Waiting(0, Integer.MAX_VALUE, true),
                new Waiting(Integer.MAX_VALUE, 0, true));
    }

    @ParameterizedTest
    @MethodSource("family")
    void whoWaitsLetsOthersRun(Waiting how) throws Exception {
        MPSequence producers = new MPSequence(8);
        MCSequence pool = new MCSequence(8);
        MCSequence after = new MCSequence(8);
        producers.then(pool).then(after).then(producers);
        List<Thread> threads = new ArrayList<>();
        for (Sequence each : List.of(pool, after, producers)) {
            each.waiting(how);
        }
        for (Sequence stage : List.of(pool, after)) {
            for (int i = 0; i < many; i++) {
                threads.add(OnVirtualThreads.start(() -> take(stage)));
            }
        }
        AtomicInteger left = new AtomicInteger(many);
        for (int i = 0; i < many; i++) {
            threads.add(OnVirtualThreads.start(() -> push(producers, left)));
        }
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(20));
            assertThat(thread.isAlive()).as("waits").isFalse();
        }
        assertThat(taken).hasValue(2 * many * EACH);
    }

    private void take(Sequence stage) {
        try {
            for (long at = stage.waitForNext(); at >= 0; at = stage.waitForNext()) {
                taken.incrementAndGet();
                stage.done(at);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void push(MPSequence producers, AtomicInteger left) {
        try {
            for (int i = 0; i < EACH; i++) {
                producers.done(producers.waitForNext());
            }
            if (left.decrementAndGet() == 0) {
                producers.close();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A million that each try once would be in memory until a consumer goes on. */
    @Test
    void whoGaveUpAndEndedIsForgotten() throws Exception {
        MPSequence producers = new MPSequence(2);
        SCSequence consumer = new SCSequence();
        producers.then(consumer).then(producers);
        producers.done(producers.next(), producers.next());
        for (int i = 0; i < 2_000; i++) {
            Thread once =
                    new Thread(
                            () -> {
                                try {
                                    producers.waitForNext(1, 20_000);
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            once.start();
            once.join();
        }
        int here = 0;
        for (Waiter each = consumer.bell.waiters; each != null; each = each.next) {
            here++;
        }
        assertThat(here).isLessThan(1_000);
        consumer.done(consumer.next());
        assertThat(producers.waitForNext()).isEqualTo(2);
    }
}

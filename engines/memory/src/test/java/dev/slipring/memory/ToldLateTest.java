// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Pushed messages are not kept in memory for callers that are told late of their push. */
class ToldLateTest {

    @Test
    @Timeout(60)
    void messagesThatAreStoredAreNotKept() throws Exception {
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (Slipring slipring = Slipring.open("memory:")) {
            Ring ring = slipring.create(RingSpec.named("r"));
            CompletionStage<Void> first;
            do {
                first = ring.pushAsync(Message.of("first")).thenRun(elsewhere(telling, over));
            } while (first.toCompletableFuture().isDone());
            telling.await();
            long before = ring.info().pushed();
            WeakReference<byte[]> body = pushLarge(ring);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (ring.info().pushed() == before || body.get() != null) {
                assertThat(System.nanoTime()).as("the body is not kept").isLessThan(deadline);
                System.gc();
            }
            assertThat(over.getCount()).as("the first caller is still being told").isOne();
        } finally {
            over.countDown();
        }
    }

    /**
     * Waits until {@code over}. Does nothing on this thread: it is told of a push that was durable
     * at once.
     */
    private static Runnable elsewhere(CountDownLatch telling, CountDownLatch over) {
        Thread own = Thread.currentThread();
        return () -> {
            if (Thread.currentThread() == own) {
                return;
            }
            telling.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private static WeakReference<byte[]> pushLarge(Ring ring) {
        byte[] body = new byte[1 << 20];
        ring.pushAsync(Message.of(body));
        return new WeakReference<>(body);
    }
}

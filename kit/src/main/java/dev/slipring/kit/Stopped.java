// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Ring;
import dev.slipring.Workers;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Workers that are stopped, by somebody who does not wait for ever. */
public interface Stopped extends Promise {

    /** A handler that takes long is left behind, finishes its message and leaves the rest. */
    @Test
    default void whoStopsWorkersNeedNotWaitForTheirHandlers() throws Exception {
        Ring ring = ring("stopped");
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ring.push("first");
        try (Workers workers =
                        ring.stage()
                                .work(
                                        1,
                                        delivery -> {
                                            handling.countDown();
                                            goOn.await();
                                        });
                AutoCloseable beforeThat = goOn::countDown) {
            handling.await();
            ring.push("second");
            workers.stop();
            assertThat(workers.await(Duration.ofMillis(1))).as("while it handles").isFalse();
            assertThat(workers.await(Duration.ofSeconds(-1))).as("a look").isFalse();
            Thread.currentThread().interrupt();
            assertThat(workers.await(Wait.LONGEST)).as("an interrupt ends it").isFalse();
            assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
            goOn.countDown();
            assertThat(workers.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
            assertThat(workers.await(Duration.ZERO)).as("all have finished").isTrue();
            assertThat(ring.info().stage("main").lag()).as("the second is left").isOne();
        }
    }

    @Test
    default void aHandlerDoesNotWaitForItself() throws Exception {
        Ring ring = ring("itself");
        CompletableFuture<Workers> itself = new CompletableFuture<>();
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (Workers workers =
                ring.stage()
                        .work(
                                1,
                                delivery ->
                                        answer.completeAsync(
                                                () -> itself.join().await(Wait.LONGEST),
                                                Runnable::run))) {
            itself.complete(workers);
            ring.push("x");
            assertThatThrownBy(answer::join)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("its own workers");
        }
    }
}

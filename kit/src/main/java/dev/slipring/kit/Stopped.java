// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.Ring;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

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

    /** Workers that stop just as one of them has claimed give all of it back. */
    @Test
    default void whatIsClaimedInTheMomentOfAStopGoesBack() {
        Ring ring = ring("moment");
        CompletableFuture<Workers> started = new CompletableFuture<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void claimed(
                            String name, String stage, int messages, int again, Duration took) {
                        if (messages > 1) {
                            started.join().stop();
                        }
                    }
                };
        List<Delivery> handled = new CopyOnWriteArrayList<>();
        try (Workers workers = heardBy(listener).ring("moment").stage().work(2, handled::add)) {
            started.complete(workers);
            push(ring, 200);
            assertThat(workers.await(Wait.LONGEST)).isTrue();
        }
        areGivenBack(ring, 200, handled);
    }

    /** The same where an executor is shut down in the middle of a claim. */
    @Test
    default void whatAnExecutorDoesNotHandleAnyMoreGoesBack() throws Exception {
        Ring ring = ring("shut");
        List<Delivery> handled = new CopyOnWriteArrayList<>();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        push(ring, 200);
        try (Workers workers =
                ring.stage()
                        .work(
                                WorkOptions.threads(1).executor(executor),
                                delivery -> {
                                    handled.add(delivery);
                                    if (handled.size() == 40) {
                                        executor.shutdownNow();
                                    }
                                })) {
            assertThat(workers.await(Wait.LONGEST)).isTrue();
        }
        areGivenBack(ring, 200, handled);
    }

    private void areGivenBack(Ring ring, int all, List<Delivery> handled) {
        assertThat(handled).hasSizeLessThan(all);
        assertThat(ring.info().stage("main").inHand()).as("in hand").isEmpty();
        int left = all - handled.size();
        assertThat(ring.stage().drain(handled::add)).isEqualTo(left);
        assertThat(handled).allMatch(delivery -> delivery.attempt() == 1);
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

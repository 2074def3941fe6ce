// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Threads in awkward places: none waits for ever, and no message loses attempts by it. */
class ThreadsTest {

    /** In seconds; more than a slow machine takes for anything here. */
    private static final long SOON = 60;

    /**
     * Starts a thread for each task, as the common pool has few threads if there are few
     * processors.
     */
    private static final Executor OWN = task -> new Thread(task).start();

    private static Ring ring(Options options) {
        return Slipring.open(options)
                .create(RingSpec.named("ring").graph(StageSpec.named("main").tries(2)));
    }

    @Test
    void claimsOfMoreThanAHundredThousandAreRefused() {
        assertThatThrownBy(() -> WorkOptions.threads(2).batch(Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use 1 to 100,000");
    }

    /** Workers with the largest claims there are. */
    @Test
    void theLargestClaimsAreHandled() throws Exception {
        Ring ring = ring(Options.url("memory:"));
        CountDownLatch handled = new CountDownLatch(10);
        try (Workers workers =
                ring.stage()
                        .work(
                                WorkOptions.threads(2).batch(100_000),
                                delivery -> handled.countDown())) {
            ring.pushAll(Collections.nCopies(10, Message.of("x")));
            assertThat(handled.await(SOON, TimeUnit.SECONDS)).isTrue();
            assertThat(workers).isNotNull();
        }
    }

    /** A handler closes its own workers. */
    @Test
    void aHandlerClosesItsOwnWorkers() throws Exception {
        Ring ring = ring(Options.url("memory:"));
        AtomicReference<Workers> workers = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch set = new CountDownLatch(1);
        workers.set(
                ring.stage()
                        .work(
                                1,
                                delivery -> {
                                    set.await();
                                    workers.get().close();
                                    closed.countDown();
                                }));
        set.countDown();
        ring.push("x");
        assertThat(closed.await(SOON, TimeUnit.SECONDS)).isTrue();
    }

    /** The thread that extends leases tells a listener of one that was lost, who closes workers. */
    @Test
    void whoHearsThatALeaseIsLostClosesTheWorkers() throws Exception {
        AtomicReference<Workers> workers = new AtomicReference<>();
        CompletableFuture<Throwable> waited = new CompletableFuture<>();
        Listener closing =
                new Listener() {
                    @Override
                    public void fenced(String ring, String stage) {
                        waited.complete(catchThrowable(() -> workers.get().await(Duration.ZERO)));
                        workers.get().close();
                    }
                };
        StageSpec main = StageSpec.named("main").lease(Duration.ofMillis(600));
        Ring ring =
                Slipring.open(Options.url("memory:").listener(closing))
                        .create(RingSpec.named("ring").graph(main));
        CountDownLatch begun = new CountDownLatch(1);
        workers.set(
                ring.stage()
                        .work(
                                1,
                                delivery -> {
                                    begun.countDown();
                                    waited.get();
                                }));
        ring.push("x");
        assertThat(begun.await(SOON, TimeUnit.SECONDS)).isTrue();
        ring.stage().rewind(Start.OLDEST);
        assertThat(waited.get(SOON, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
        assertThat(workers.get().await(Duration.ofSeconds(SOON))).isTrue();
    }

    /** The last worker says what is left once more, and a listener that hears of it closes. */
    @Test
    void whoHearsOfTheLastReportClosesTheWorkers() throws Exception {
        AtomicReference<Workers> workers = new AtomicReference<>();
        Listener closing =
                new Listener() {
                    @Override
                    public void storeFailed(String ring, SlipringException error) {
                        workers.get().close();
                    }
                };
        Slipring slipring = Slipring.open(Options.url("memory:").listener(closing));
        Ring ring = slipring.create(RingSpec.named("ring"));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch dropped = new CountDownLatch(1);
        workers.set(
                ring.stage()
                        .work(
                                1,
                                delivery -> {
                                    begun.countDown();
                                    dropped.await();
                                }));
        ring.push("x");
        begun.await();
        workers.get().stop();
        slipring.drop("ring");
        dropped.countDown();
        assertThat(workers.get().await(Duration.ofSeconds(SOON))).isTrue();
    }

    /** An executor that is shut down with interrupts: no message loses attempts by it. */
    @Test
    void anInterruptBurnsNoAttempts() throws Exception {
        Ring ring = ring(Options.url("memory:"));
        ring.pushAll(IntStream.range(0, 200).mapToObj(i -> Message.of("" + i)).toList());
        ExecutorService executor = Executors.newFixedThreadPool(1);
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        ring.stage()
                .work(
                        WorkOptions.threads(1).executor(executor),
                        (Delivery delivery) -> {
                            calls.incrementAndGet();
                            begun.countDown();
                            TimeUnit.SECONDS.sleep(10 * SOON);
                        });
        begun.await();
        executor.shutdownNow();
        assertThat(executor.awaitTermination(SOON, TimeUnit.SECONDS)).isTrue();
        assertThat(calls).hasValue(1);
    }

    /** Code that is told that a push is durable may push again. */
    @Test
    void aPushAfterAPush() throws Exception {
        Ring ring = ring(Options.url("memory:"));
        CompletableFuture<Void> second = new CompletableFuture<>();
        ring.pushAsync(Message.of("a"))
                .thenRun(
                        () -> {
                            ring.push("b");
                            second.complete(null);
                        });
        second.orTimeout(SOON, TimeUnit.SECONDS).join();
    }

    /** A listener that throws an error breaks no push. */
    @Test
    void aListenerThatThrowsAnError() throws Exception {
        Listener broken =
                new Listener() {
                    @Override
                    public void pushed(String ring, int messages, long bytes, Duration took) {
                        throw new AssertionError("a listener");
                    }
                };
        Ring ring = ring(Options.url("memory:").listener(broken));
        CompletableFuture.runAsync(() -> ring.push("a")).get(SOON, TimeUnit.SECONDS);
        CompletableFuture.runAsync(() -> ring.push("b")).get(SOON, TimeUnit.SECONDS);
        assertThat(ring.info().pushed()).isEqualTo(2);
    }

    /** A push that would wait for ever for room is refused when its ring closes. */
    @Test
    void aFullRingIsClosed() throws Exception {
        Slipring slipring = Slipring.open(Options.url("memory:").pushTimeout(Options.FOREVER));
        Ring ring = slipring.create(RingSpec.named("full").messages(1));
        ring.push("x");
        CompletableFuture<Void> waiting = ring.pushAsync(Message.of("y")).toCompletableFuture();
        CompletableFuture<Void> blocked = CompletableFuture.runAsync(() -> ring.push("z"), OWN);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(slipring::close, OWN);
        closed.get(SOON, TimeUnit.SECONDS);
        assertThatThrownBy(() -> waiting.get(SOON, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RingFull.class);
        assertThatThrownBy(() -> blocked.get(SOON, TimeUnit.SECONDS))
                .hasCauseInstanceOf(SlipringException.class);
    }

    /** An executor has no thread left for some of the workers, and never will. */
    @Test
    void workersThatNeverBeganAreClosed() throws Exception {
        Ring ring = ring(Options.url("memory:"));
        ExecutorService one = Executors.newSingleThreadExecutor();
        CountDownLatch busy = new CountDownLatch(1);
        one.execute(
                () -> {
                    try {
                        busy.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        Workers workers =
                ring.stage().work(WorkOptions.threads(3).executor(one), delivery -> busy.await());
        CompletableFuture.runAsync(workers::close, OWN).get(SOON, TimeUnit.SECONDS);
        one.shutdownNow();
    }

    /** Pushes that race with the close are stored or refused; each gets an answer. */
    @Test
    void everyPushHasAnAnswerWhenItsRingCloses() throws Exception {
        for (int round = 0; round < 200; round++) {
            Slipring slipring = Slipring.open(Options.url("memory:"));
            Ring ring = slipring.create(RingSpec.named("ring"));
            CountDownLatch begun = new CountDownLatch(3);
            List<CompletableFuture<?>> answers = Collections.synchronizedList(new ArrayList<>());
            List<CompletableFuture<Void>> pushers =
                    IntStream.range(0, 3)
                            .mapToObj(
                                    i ->
                                            CompletableFuture.runAsync(
                                                    () -> push(ring, begun, answers), OWN))
                            .toList();
            begun.await();
            slipring.close();
            for (CompletableFuture<Void> pusher : pushers) {
                assertThatThrownBy(() -> pusher.get(SOON, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(StoreFailed.class);
            }
            for (CompletableFuture<?> answer : answers) {
                answer.get(SOON, TimeUnit.SECONDS);
            }
        }
    }

    private static void push(Ring ring, CountDownLatch begun, List<CompletableFuture<?>> answers) {
        begun.countDown();
        while (true) {
            answers.add(ring.pushAsync(Message.of("x")).toCompletableFuture());
        }
    }
}

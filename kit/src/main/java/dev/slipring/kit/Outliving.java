// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** What workers meet and outlive: errors of the store, and interrupts that handlers leave. */
public interface Outliving extends Promise {

    /** A worker goes on whatever the store throws, even an {@code Error}. */
    @Test
    default void aWorkerOutlivesAnErrorOfTheStore() throws Exception {
        AtomicInteger errors = new AtomicInteger(3);
        Ring ring = ring("outlives");
        InFront.Way failing =
                (method, arguments, through) -> {
                    if (method.equals("claim") && errors.getAndDecrement() > 0) {
                        throw new StackOverflowError("by plan");
                    }
                    return through.call();
                };
        Ring seen = behind(failing).ring(ring.name());
        CountDownLatch done = new CountDownLatch(1);
        try (Workers workers = seen.stage().work(1, delivery -> done.countDown())) {
            ring.push("x");
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /**
     * A worker also goes on if the error comes when it reports at once, by itself, since no worker
     * is about to claim and could carry the word.
     */
    @Test
    default void aWorkerOutlivesAnErrorOfAWordThatItSaysAtOnce() throws Exception {
        CountDownLatch broke = new CountDownLatch(1);
        AtomicInteger waiting = new AtomicInteger();
        Ring ring = ring("at-once");
        InFront.Way failing =
                (method, arguments, through) -> {
                    if (method.equals("settle") && broke.getCount() > 0 && saysAtOnce()) {
                        broke.countDown();
                        throw new StackOverflowError("by plan");
                    }
                    return through.call();
                };
        Ring seen = behind(failing).ring(ring.name());
        CyclicBarrier all = new CyclicBarrier(3);
        try (Workers workers =
                seen.stage()
                        .work(
                                3,
                                delivery -> {
                                    if (delivery.text().equals("all")) {
                                        all.await(30, TimeUnit.SECONDS);
                                        waiting.incrementAndGet();
                                    } else {
                                        // Long enough for the third worker to find nothing, and to
                                        // wait.
                                        Wait.sleep(Duration.ofMillis(20));
                                    }
                                })) {
            Wait.until(
                    "a word that is said at once breaks",
                    () -> {
                        seen.pushAll(List.of(Message.of("x"), Message.of("x")));
                        seen.drain(Wait.LONGEST);
                        return broke.getCount() == 0;
                    });
            for (int i = 0; i < 3; i++) {
                seen.push("all");
            }
            Wait.until("all three are there", () -> waiting.get() == 3);
        }
    }

    /** Such a word is said again though nothing else happens, by the worker who waits to claim. */
    @Test
    default void aWordThatIsSaidAtOnceAndBreaksIsSaidAgain() {
        ring("again");
        CountDownLatch broke = new CountDownLatch(1);
        AtomicBoolean last = new AtomicBoolean();
        InFront.Way failing =
                (method, arguments, through) -> {
                    if (method.equals("settle") && last.get() && saysAtOnce()) {
                        last.set(false);
                        broke.countDown();
                        throw new StackOverflowError("by plan");
                    }
                    return through.call();
                };
        Ring seen = behind(failing).ring("again");
        try (Workers workers =
                seen.stage()
                        .work(
                                3,
                                delivery -> {
                                    if (delivery.text().equals("second")) {
                                        // Who waits to claim has told the store of the first.
                                        Wait.until(
                                                "the other is done",
                                                () -> seen.info().stage("main").lag() == 1);
                                        last.set(broke.getCount() > 0);
                                    }
                                })) {
            Wait.until(
                    "a word that is said at once breaks",
                    () -> {
                        seen.pushAll(List.of(Message.of("first"), Message.of("second")));
                        // Who waits looks again after a minute, whatever happens.
                        assertThat(seen.drain(Duration.ofSeconds(30))).as("all is said").isTrue();
                        return broke.getCount() == 0;
                    });
        }
    }

    private static boolean saysAtOnce() {
        // Not for the first message of a claim, which the worker that claimed it handles.
        return StackWalker.getInstance()
                .walk(
                        frames -> {
                            List<String> names =
                                    frames.map(StackWalker.StackFrame::getMethodName).toList();
                            return names.contains("sayAtOnce") && !names.contains("begin");
                        });
    }

    /** What was handled is not handled again because the word on it broke once. */
    @Test
    default void whatWasHandledDoesNotComeAgainForAnErrorOfItsWord() {
        Ring ring = ring("word", stage("main").ordered());
        AtomicInteger errors = new AtomicInteger();
        InFront.Way failing =
                (method, arguments, through) -> {
                    boolean word = method.equals("claim") || method.equals("settle");
                    if (word && errors.getAndUpdate(n -> Math.max(n - 1, 0)) > 0) {
                        throw new StackOverflowError("by plan");
                    }
                    return through.call();
                };
        Ring seen = behind(failing).ring("word");
        AtomicInteger handled = new AtomicInteger();
        try (Workers each =
                seen.stage()
                        .work(
                                1,
                                delivery -> {
                                    errors.set(1);
                                    handled.incrementAndGet();
                                })) {
            seen.push("each");
            assertThat(seen.drain(Wait.LONGEST)).isTrue();
        }
        try (Workers batches =
                seen.stage()
                        .workBatches(
                                WorkOptions.threads(1),
                                claim -> {
                                    errors.set(1);
                                    handled.incrementAndGet();
                                })) {
            seen.push("batch");
            assertThat(seen.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(handled).hasValue(2);
        assertThat(ring.info().stages().get(0).redelivered()).isZero();
    }

    /** What was handled does not wait for a claim that fails each time. */
    @Test
    default void aWordGoesAloneWhereTheClaimThatItComesWithFails() {
        for (StageSpec main : List.of(stage("main"), stage("main").ordered())) {
            String name = "alone-" + main.mode();
            ring(name, main);
            Ring seen = behind(LostCalls.ofAllWordsWithClaims()).ring(name);
            AtomicInteger handled = new AtomicInteger();
            try (Workers workers = seen.stage().work(1, delivery -> handled.incrementAndGet())) {
                push(seen, 3);
                Wait.until(
                        "the store is told of all, " + name,
                        () -> seen.info().stages().get(0).done() == 3);
                assertThat(handled).hasValue(3);
            }
        }
    }

    /** A handler that leaves a thread made here interrupted does not end the worker. */
    @Test
    default void anInterruptThatAHandlerLeavesEndsNoWorker() {
        Ring pool = ring("pool");
        Ring ordered = ring("in-order", stage("main").ordered().tries(1));
        AtomicInteger handled = new AtomicInteger();
        try (Workers first =
                        pool.stage()
                                .work(
                                        2,
                                        delivery -> {
                                            handled.incrementAndGet();
                                            Thread.currentThread().interrupt();
                                        });
                Workers second =
                        ordered.stage()
                                .work(
                                        1,
                                        delivery -> {
                                            throw new InterruptedException("by plan");
                                        })) {
            push(pool, 20);
            push(ordered, 20);
            assertThat(pool.drain(Wait.LONGEST)).isTrue();
            assertThat(ordered.drain(Wait.LONGEST)).isTrue();
        }
        try (Workers batches =
                pool.stage()
                        .workBatches(
                                WorkOptions.threads(2).batch(3),
                                claim -> {
                                    handled.addAndGet(claim.deliveries().size());
                                    Thread.currentThread().interrupt();
                                })) {
            push(pool, 20);
            assertThat(pool.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(handled).hasValue(40);
        assertThat(ordered.stage().deadLetters(99)).hasSize(20);
    }

    /**
     * A handler does not find its thread interrupted by the one before: that would end what it
     * waits for.
     */
    @Test
    default void noHandlerMeetsTheInterruptOfTheOneBefore() {
        Ring ordered = ring("in-order", stage("main").ordered());
        AtomicInteger met = new AtomicInteger();
        push(ordered, 20);
        try (Workers workers =
                ordered.stage()
                        .work(
                                1,
                                delivery -> {
                                    met.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                                    Thread.currentThread().interrupt();
                                })) {
            assertThat(ordered.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(met).hasValue(0);
    }

    /**
     * An interrupt that comes after the handler has returned, as from code that watches over
     * handlers, ends no worker either.
     */
    @Test
    default void anInterruptOfWhoWaitsEndsNoWorker() {
        Ring pool = ring("pool");
        Ring ordered = ring("in-order", stage("main").ordered());
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        try (Workers one = pool.stage().work(2, delivery -> threads.add(Thread.currentThread()));
                Workers two =
                        ordered.stage().work(2, delivery -> threads.add(Thread.currentThread()))) {
            for (int i = 0; i < 5; i++) {
                push(pool, 20);
                push(ordered, 20);
                assertThat(pool.drain(Wait.LONGEST)).isTrue();
                assertThat(ordered.drain(Wait.LONGEST)).isTrue();
                threads.forEach(Thread::interrupt);
            }
            assertThat(threads).allMatch(Thread::isAlive);
        }
    }

    /**
     * An executor that is shut down with {@code shutdownNow} ends the workers, and the listener
     * hears of it.
     */
    @Test
    default void anExecutorThatInterruptsEndsItsWorkersAndTellsSo() {
        ring("shut-down");
        AtomicReference<SlipringException> heard = new AtomicReference<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void storeFailed(String name, SlipringException error) {
                        heard.compareAndSet(null, error);
                    }
                };
        Ring seen = heardBy(listener).ring("shut-down");
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try (Workers workers =
                seen.stage().work(WorkOptions.threads(2).executor(executor), delivery -> {})) {
            push(seen, 20);
            assertThat(seen.drain(Wait.LONGEST)).isTrue();
            executor.shutdownNow();
            Wait.until("somebody heard of it", () -> heard.get() != null);
            assertThat(heard.get()).hasMessageContaining("interrupted");
        }
    }

    /**
     * A word that comes with the next claim, and that the store refuses as wrong, is not repeated
     * for ever: the claim is left to its lease, and its messages come again.
     */
    @Test
    default void aWordWithAClaimThatIsRefusedAsWrongComesAgain() {
        try (Slipring real = realTime()) {
            real.create(RingSpec.named("wrong").graph(stage("main").lease(Duration.ofSeconds(4))));
            Ring ring = behind(real, LostCalls.ofRefusedWordsWithClaims()).ring("wrong");
            List<String> handled = new CopyOnWriteArrayList<>();
            WorkOptions oneByOne = WorkOptions.threads(1).batch(1);
            try (Workers workers =
                    ring.stage().work(oneByOne, delivery -> handled.add(delivery.text()))) {
                push(ring, 3);
                assertThat(ring.drain(Wait.LONGEST)).isTrue();
            }
            assertThat(handled).hasSizeGreaterThan(3).containsAll(numbers(3));
            assertThat(ring.info().stages().get(0).redelivered()).isPositive();
            assertThat(ring.check()).isEmpty();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Delivery;
import dev.slipring.Fenced;
import dev.slipring.Handler;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Survey.InHand;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** A claim that several workers share: a slow worker, workers that stop, and messages that fail. */
public interface Sharing extends Promise {

    /**
     * A handler that takes long keeps no other message waiting, and what the other workers handled
     * is done.
     */
    @Test
    default void aSlowHandlerKeepsNothingElseWaiting() throws Exception {
        Ring ring = ring("fair");
        CountDownLatch go = new CountDownLatch(1);
        Set<String> handled = ConcurrentHashMap.newKeySet();
        try (Workers workers =
                ring.stage()
                        .work(
                                2,
                                delivery -> {
                                    if (delivery.text().equals("100")) {
                                        go.await();
                                    }
                                    handled.add(delivery.text());
                                })) {
            try {
                // So that claims have become large by the time when the slow message comes.
                push(ring, 100);
                Wait.until("the first are handled", () -> handled.size() == 100);
                ring.pushAll(numbers(200).stream().skip(100).map(Message::of).toList());
                Wait.until("all but the one are handled", () -> handled.size() == 199);
                Wait.until("and done", () -> inHand(ring) == 1);
            } finally {
                go.countDown();
            }
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(ring.info().stages().get(0).redelivered()).isZero();
    }

    private static long inHand(Ring ring) {
        return ring.info().stages().get(0).inHand().stream().mapToLong(InHand::messages).sum();
    }

    /**
     * If a claim is taken away, as by a rewind, nobody begins with another of its messages once
     * that is known: they come again, and would be handled twice.
     */
    @Test
    default void whatIsLostIsNotBegun() throws Exception {
        CompletableFuture<Thread> keeper = new CompletableFuture<>();
        InFront.Way way =
                (method, arguments, through) -> {
                    try {
                        return through.call();
                    } catch (Fenced lost) {
                        if (method.equals("trySettle")) {
                            keeper.complete(Thread.currentThread());
                        }
                        throw lost;
                    }
                };
        ring("taken", stage("main").lease(Duration.ofSeconds(5)));
        Ring ring = behind(way).ring("taken");
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        Map<String, Integer> handled = new ConcurrentHashMap<>();
        Handler handler =
                delivery -> {
                    if (delivery.text().equals("100") && first.getAndSet(false)) {
                        begun.countDown();
                        // Not for ever: who closes the workers waits for this handler.
                        Wait.until("a word is refused", keeper::isDone);
                        Thread refused = keeper.join();
                        // It sleeps again, so the claim is known to be lost.
                        Wait.until(
                                "the refusal has arrived",
                                () -> refused.getState() == Thread.State.TIMED_WAITING);
                    }
                    handled.merge(delivery.text(), 1, Integer::sum);
                };
        try (Workers workers = ring.stage().work(1, handler)) {
            push(ring, 100);
            Wait.until("the first are handled", () -> handled.size() == 100);
            ring.pushAll(numbers(200).stream().skip(100).map(Message::of).toList());
            Wait.until("the slow one is begun with", () -> begun.getCount() == 0);
            assertThat(inHand(ring)).as("there are others to begin with").isGreaterThan(1);
            ring.stage().rewind(Start.OLDEST);
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(numbers(200).subList(101, 200)).allMatch(text -> handled.get(text) == 1);
    }

    /** A clean stop finishes the message in hand and gives back the rest, which comes at once. */
    @Test
    default void aCleanStopGivesBack() throws Exception {
        stop(ring("stop"), 1, 200, 40);
    }

    /** A stop in the middle of a shared claim: every message is handled once, or goes back. */
    @Test
    default void aStopOfManyGivesBack() throws Exception {
        stop(ring("stopping"), 4, 2_000, 300);
    }

    private void stop(Ring ring, int threads, int messages, int first) throws Exception {
        push(ring, messages);
        CountDownLatch begun = new CountDownLatch(first);
        Set<Delivery> handled = ConcurrentHashMap.newKeySet();
        Workers workers =
                ring.stage()
                        .work(
                                threads,
                                delivery -> {
                                    begun.countDown();
                                    handled.add(delivery);
                                });
        begun.await();
        workers.close();
        int left = messages - handled.size();
        StageSurvey stage = ring.info().stages().get(0);
        // One of several workers may be done with messages behind those of another, and the lag
        // counts from the first that is not done.
        assertThat(stage.lag()).isBetween((long) left, threads == 1 ? left : (long) messages);
        assertThat(stage.inHand()).as("what went back is in nobody's hand").isEmpty();
        assertThat(ring.stage().drain(handled::add)).isEqualTo(left);
        assertThat(handled).hasSize(messages).allMatch(delivery -> delivery.attempt() == 1);
    }

    /** Failures of a shared claim are kept message by message, whichever worker handled it. */
    @Test
    default void failuresOfASharedClaim() {
        Ring ring = ring("failing", stage("main").tries(1));
        push(ring, 500);
        try (Workers workers =
                ring.stage()
                        .work(
                                3,
                                delivery -> {
                                    if (delivery.text().endsWith("7")) {
                                        throw new IllegalStateException("a seven");
                                    }
                                })) {
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(ring.stage().deadLetters(100))
                .hasSize(50)
                .allMatch(letter -> letter.delivery().text().endsWith("7"));
    }

    /** Workers on an executor of the user's. */
    @Test
    default void workersOnAnExecutor() {
        assertThat(workOn(ring("executor"), 2, 2, 100)).hasSize(100).containsOnly("mine");
    }

    /** An executor with one thread for three workers: the one that runs does all the work. */
    @Test
    default void oneThreadForManyWorkers() {
        assertThat(workOn(ring("one"), 1, 3, 300)).hasSize(300).containsOnly("mine");
    }

    /** Pushes this many messages; returns for each the name of the thread that handled it. */
    private Collection<String> workOn(Ring ring, int threads, int workers, int messages) {
        ExecutorService executor =
                Executors.newFixedThreadPool(threads, task -> new Thread(task, "mine"));
        Map<String, String> handled = new ConcurrentHashMap<>();
        WorkOptions options = WorkOptions.threads(workers).executor(executor);
        try (Workers working =
                ring.stage()
                        .work(
                                options,
                                delivery ->
                                        handled.put(
                                                delivery.text(),
                                                Thread.currentThread().getName()))) {
            push(ring, messages);
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
        } finally {
            executor.shutdown();
        }
        return handled.values();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Stage;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.engine.Capability;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** A virtual thread may do whatever a thread may do, and there may be thousands of them. */
public interface VirtualThreads extends Promise {

    /** The tag of these tests, to run them alone under a Java that has virtual threads. */
    String TAG = "virtual-threads";

    /**
     * More than a server has connections, and more than may look for messages of a stage at a time.
     */
    int MANY = 1_500;

    /**
     * Each thread pushes a message and waits for its outcome; then each claims one and says done.
     */
    @Test
    @Tag(TAG)
    default void thousandsPushAndPull() throws Exception {
        Ring ring = ring("thousands");
        List<Callable<Void>> pushes = new ArrayList<>();
        List<Callable<Void>> pulls = new ArrayList<>();
        Queue<String> got = new ConcurrentLinkedQueue<>();
        Stage main = ring.stage();
        for (String number : numbers(MANY)) {
            pushes.add(
                    () -> {
                        ring.push(number);
                        return null;
                    });
            pulls.add(
                    () -> {
                        try (Claim claim = main.claim(1, Wait.LONGEST)) {
                            got.addAll(texts(claim));
                            claim.done();
                        }
                        return null;
                    });
        }
        ExecutorService threads = threads();
        all(threads, pushes);
        all(threads, pulls);
        assertThat(got).containsExactlyInAnyOrderElementsOf(numbers(MANY));
        assertThat(ring.drain(Duration.ZERO)).isTrue();
    }

    /** An interrupt ends a wait, and harms neither the interrupted thread nor others. */
    @Test
    @Tag(TAG)
    default void interruptsSpoilNothing() throws Exception {
        Ring ring = ring("interrupted");
        Stage main = ring.stage();
        Set<Thread> own = ConcurrentHashMap.newKeySet();
        Queue<String> got = new ConcurrentLinkedQueue<>();
        AtomicInteger kept = new AtomicInteger();
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int first = i * 100;
            tasks.add(
                    () -> {
                        own.add(Thread.currentThread());
                        for (int n = first; n < first + 100; n++) {
                            ring.push("" + n);
                            kept.addAndGet(Thread.interrupted() ? 1 : 0);
                        }
                        return null;
                    });
            tasks.add(
                    () -> {
                        own.add(Thread.currentThread());
                        while (got.size() < 800) {
                            try (Claim claim = main.claim(5, Duration.ofMillis(50))) {
                                claim.deliveries()
                                        .forEach(each -> assertThat(each.attempt()).isEqualTo(1));
                                claim.done();
                                got.addAll(texts(claim));
                            }
                            kept.addAndGet(Thread.interrupted() ? 1 : 0);
                        }
                        return null;
                    });
        }
        ExecutorService threads = threads();
        Thread interrupter = new Thread(() -> interruptThem(own, got));
        interrupter.start();
        try {
            all(threads, tasks);
        } finally {
            interrupter.interrupt();
            interrupter.join();
        }
        assertThat(got).containsExactlyInAnyOrderElementsOf(numbers(800));
        assertThat(kept).hasPositiveValue();
    }

    private void interruptThem(Set<Thread> threads, Queue<String> got) {
        Random random = new Random(1);
        try {
            while (got.size() < 800) {
                List<Thread> some = List.copyOf(threads);
                if (!some.isEmpty()) {
                    some.get(random.nextInt(some.size())).interrupt();
                }
                TimeUnit.MILLISECONDS.sleep(2);
            }
        } catch (InterruptedException e) {
            // All messages have been claimed, or something went wrong.
        }
    }

    /** Workers may run on virtual threads, and their handlers may pause there. */
    @Test
    @Tag(TAG)
    default void theyWork() {
        Ring pool = ring("pool");
        Ring ordered = ring("in-order", stage("main").ordered());
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        Queue<String> inOrder = new ConcurrentLinkedQueue<>();
        WorkOptions how = WorkOptions.threads(50).executor(threads());
        push(pool, 500);
        try (Workers one =
                        pool.stage()
                                .work(
                                        how,
                                        delivery -> {
                                            TimeUnit.MILLISECONDS.sleep(1);
                                            seen.add(delivery.text());
                                        });
                Workers two =
                        ordered.stage()
                                .workBatches(how.batch(7), claim -> inOrder.addAll(texts(claim)))) {
            numbers(100).forEach(n -> ordered.push(Message.of(n).key("k")));
            assertThat(pool.drain(Wait.LONGEST)).isTrue();
            assertThat(ordered.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(numbers(500));
        assertThat(inOrder).containsExactlyElementsOf(numbers(100));
    }

    /**
     * An executor of virtual threads that is shut down ends its workers, even those in a handler.
     */
    @Test
    @Tag(TAG)
    default void workersEndWithTheirExecutor() throws Exception {
        Ring ring = ring("shut-down");
        AtomicInteger handled = new AtomicInteger();
        ExecutorService threads = threads();
        push(ring, 20);
        try (Workers workers =
                ring.stage()
                        .work(
                                WorkOptions.threads(10).executor(threads),
                                delivery -> {
                                    handled.incrementAndGet();
                                    TimeUnit.MINUTES.sleep(10);
                                })) {
            Wait.until("a handler is called", () -> handled.get() > 0);
            threads.shutdownNow();
            assertThat(threads.awaitTermination(Wait.LONGEST.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    /**
     * Threads that push while the store is closed get an error; every push that returned before is
     * stored.
     */
    @Test
    @Tag(TAG)
    default void aStoreIsClosedWhileTheyPush() throws Exception {
        ExecutorService threads = threads();
        AtomicInteger pushed = new AtomicInteger();
        List<Callable<Void>> pushes = new ArrayList<>();
        Slipring other = realTime();
        Ring ring = other.createIfMissing(RingSpec.named("closing"));
        for (int i = 0; i < 50; i++) {
            pushes.add(
                    () -> {
                        try {
                            while (true) {
                                ring.push("x");
                                pushed.incrementAndGet();
                            }
                        } catch (SlipringException closed) {
                            return null;
                        }
                    });
        }
        Thread closing =
                new Thread(
                        () -> {
                            Wait.until("some are there", () -> pushed.get() > 500);
                            other.close();
                        });
        closing.start();
        all(threads, pushes);
        closing.join();
        if (slipring().store().capabilities().contains(Capability.DURABLE)) {
            assertThat(slipring().ring("closing").info().pushed())
                    .isGreaterThanOrEqualTo(pushed.get());
        }
    }

    /** Virtual threads may join transactions of their own. */
    @Test
    @Tag(TAG)
    default void theyJoin() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("joined");
        push(ring, 100);
        Stage main = ring.stage();
        // One transaction at a time: a file has one writer, and some drivers do not wait for their
        // turn.
        ReentrantLock turn = new ReentrantLock();
        AtomicInteger done = new AtomicInteger();
        List<Callable<Void>> transactions = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            boolean commits = i % 2 == 0;
            transactions.add(
                    () -> {
                        turn.lock();
                        try (Connection connection = bed().connect();
                                Claim claim = main.claim(5, Duration.ZERO)) {
                            connection.setAutoCommit(false);
                            ring.join(connection).done(claim);
                            ring.join(connection).push(Message.of("next"));
                            if (commits) {
                                connection.commit();
                                done.addAndGet(claim.deliveries().size());
                            } else {
                                connection.rollback();
                            }
                        } finally {
                            turn.unlock();
                        }
                        return null;
                    });
        }
        all(threads(), transactions);
        assertThat(ring.info().pushed()).isEqualTo(110);
        assertThat(done).hasPositiveValue();
        assertThat(takeAll(main)).hasSize(110 - done.get());
    }

    private static void all(ExecutorService threads, List<Callable<Void>> tasks) throws Exception {
        for (var outcome : threads.invokeAll(tasks, 3, TimeUnit.MINUTES)) {
            outcome.get();
        }
    }

    /** An executor with a virtual thread for each task; skips the test where Java has none. */
    private static ExecutorService threads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException older) {
            return Assumptions.abort(
                    "needs: virtual threads, which Java has from 21 on; this is "
                            + Runtime.version().feature());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.LaneKept;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.RingFull;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Slot;
import dev.slipring.engine.Store;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Which pushes go into one transaction, where many have gathered, and who is told of what. */
@Timeout(60)
class WriterTest {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final List<Message> ONE = List.of(Message.of("x"));

    /** How many messages each transaction had that the store took. */
    private final List<Integer> taken = Collections.synchronizedList(new ArrayList<>());

    /** What a listener heard of refusals. */
    private final List<Object> heard = Collections.synchronizedList(new ArrayList<>());

    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    /** A journal whose store waits with its first push until the gate opens. */
    private Journal journal(IntFunction<Set<Integer>> push) {
        return journal(1, push);
    }

    private Journal journal(int lanes, IntFunction<Set<Integer>> push) {
        Store store =
                (Store)
                        Proxy.newProxyInstance(
                                Store.class.getClassLoader(),
                                new Class<?>[] {Store.class},
                                (proxy, method, args) -> {
                                    if (!method.getName().equals("tryPush")) {
                                        throw new IllegalStateException("by plan");
                                    }
                                    calls.incrementAndGet();
                                    begun.countDown();
                                    gate.await(20, TimeUnit.SECONDS);
                                    int messages =
                                            ((List<?>) args[1])
                                                    .stream()
                                                            .mapToInt(it -> ((Slot) it).count())
                                                            .sum();
                                    Set<Integer> kept = push.apply(messages);
                                    if (kept.isEmpty()) {
                                        taken.add(messages);
                                    }
                                    return kept;
                                });
        Listener listener =
                new Listener() {
                    @Override
                    public void full(String ring, int messages) {
                        heard.add(messages);
                    }

                    @Override
                    public void storeFailed(String ring, SlipringException error) {
                        heard.add(error);
                    }
                };
        Watcher watcher = new Watcher("ring", listener);
        return new Journal(store, "ring", lanes, 1 << 30, new Signal(), watcher);
    }

    /** Pushes one message, and so many times others that gather behind it. */
    private List<CompletableFuture<Void>> gather(
            Journal journal, int times, List<Message> messages, long timeoutNanos)
            throws InterruptedException {
        List<CompletableFuture<Void>> pushes = new ArrayList<>();
        pushes.add(journal.add(ONE, MINUTE));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < times; i++) {
            pushes.add(journal.add(messages, timeoutNanos));
        }
        gate.countDown();
        return pushes;
    }

    private void allAreDurable(List<CompletableFuture<Void>> pushes) {
        assertThat(pushes)
                .allSatisfy(each -> assertThat(each).succeedsWithin(Duration.ofSeconds(20)));
    }

    @Test
    void aTransactionHasSoManyMessages() throws Exception {
        List<Message> quarter = Collections.nCopies(4_096, Message.of("x"));
        try (Journal journal = journal(messages -> Set.of())) {
            allAreDurable(gather(journal, 6, quarter, MINUTE));
        }
        assertThat(taken).containsExactly(1, 4 * 4_096, 2 * 4_096);
    }

    @Test
    void aTransactionHasSoManyBytes() throws Exception {
        List<Message> large = List.of(Message.of(new byte[3 << 19]));
        try (Journal journal = journal(messages -> Set.of())) {
            allAreDurable(gather(journal, 5, large, MINUTE));
        }
        assertThat(taken).containsExactly(1, 2, 2, 1);
    }

    /** As many go as have room, in their order; the others wait for more, and go together. */
    @Test
    void whatHasRoomGoesTogether() throws Exception {
        AtomicInteger free = new AtomicInteger(3);
        AtomicInteger later = new AtomicInteger();
        try (Journal journal =
                journal(
                        messages -> {
                            int room = free.get();
                            if (messages > room) {
                                if (messages == 1) {
                                    // With one alone a try ends: the next is with all again.
                                    free.set(later.get());
                                }
                                throw new RingFull("by plan", room, 1_000);
                            }
                            free.set(room - messages);
                            return Set.of();
                        })) {
            List<CompletableFuture<Void>> pushes = gather(journal, 5, ONE, MINUTE);
            allAreDurable(pushes.subList(0, 3));
            assertThat(pushes.subList(3, 6)).noneMatch(CompletableFuture::isDone);
            later.set(3);
            allAreDurable(pushes);
        }
        assertThat(taken).containsExactly(1, 2, 3);
    }

    /** A store may have less room for several than it says. */
    @Test
    void whatHasNoRoomTogetherGoesAlone() throws Exception {
        try (Journal journal =
                journal(
                        messages -> {
                            if (messages > 1) {
                                throw new RingFull("by plan", 1_000, 1 << 20);
                            }
                            return Set.of();
                        })) {
            allAreDurable(gather(journal, 3, ONE, MINUTE));
        }
        assertThat(taken).containsExactly(1, 1, 1, 1);
    }

    /** Whoever waits for a lane is told in time, also where there is not room for all who wait. */
    @Test
    void whatHasRoomWaitsForItsLane() throws Exception {
        try (Journal journal =
                journal(
                        messages -> {
                            if (taken.isEmpty()) {
                                return Set.of();
                            }
                            if (messages > 1) {
                                throw new RingFull("by plan", 1, 1_000);
                            }
                            return Set.of(0);
                        })) {
            List<CompletableFuture<Void>> pushes = gather(journal, 3, ONE, 1_000_000);
            assertThat(pushes.subList(1, 4))
                    .allSatisfy(
                            each ->
                                    assertThat(each)
                                            .failsWithin(Duration.ofSeconds(20))
                                            .withThrowableOfType(ExecutionException.class)
                                            .withCauseInstanceOf(LaneKept.class));
        }
        assertThat(taken).containsExactly(1);
    }

    /** Whatever a store throws is told to who pushed, and keeps nobody else from pushing. */
    @Test
    void whatNobodyExpectsIsToldToo() throws Exception {
        IllegalStateException unexpected = new IllegalStateException("by plan");
        try (Journal journal =
                journal(
                        messages -> {
                            if (calls.get() == 1) {
                                throw unexpected;
                            }
                            return Set.of();
                        })) {
            List<CompletableFuture<Void>> pushes = gather(journal, 1, ONE, MINUTE);
            assertThat(pushes.get(0))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableOfType(ExecutionException.class)
                    .withCause(unexpected);
            allAreDurable(pushes.subList(1, 2));
        }
    }

    /** Whoever waits while another writes is as little held up by an interrupt, and keeps it. */
    @Test
    void anInterruptOfWhoWaitsIsKept() throws Exception {
        try (Journal journal = journal(messages -> Set.of())) {
            CompletableFuture<Void> first = journal.add(ONE, MINUTE);
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            AtomicBoolean kept = new AtomicBoolean();
            Thread waits =
                    new Thread(
                            () -> {
                                journal.push(ONE, MINUTE);
                                kept.set(Thread.currentThread().isInterrupted());
                            });
            waits.start();
            while (waits.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            waits.interrupt();
            while (waits.isInterrupted()) {
                Thread.onSpinWait();
            }
            gate.countDown();
            waits.join();
            assertThat(kept).isTrue();
            allAreDurable(List.of(first));
        }
        assertThat(taken).containsExactly(1, 1);
    }

    @Test
    void aListenerHearsOfWhatTheStoreRefuses() throws Exception {
        List<Message> two = List.of(Message.of("x"), Message.of("y"));
        StoreFailed failed = new StoreFailed("by plan");
        try (Journal journal =
                journal(
                        messages -> {
                            if (messages == 1) {
                                throw failed;
                            }
                            throw new RingFull("by plan", 0, 0);
                        })) {
            assertThat(gather(journal, 1, two, 0))
                    .allSatisfy(each -> assertThat(each).failsWithin(Duration.ofSeconds(20)));
        }
        assertThat(heard).containsExactly(failed, 2);
    }

    /** Else it would be told that it needs what another needs. */
    @Test
    void whoWaitedBehindAnotherForRoomIsToldSo() throws Exception {
        List<Message> two = List.of(Message.of("x"), Message.of("y"));
        Journal journal =
                journal(
                        messages -> {
                            throw new RingFull("by plan, for " + messages, 0, 0);
                        });
        List<CompletableFuture<Void>> pushes = gather(journal, 1, two, 0);
        assertThat(pushes.get(1))
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .withMessage("a push of 2 messages waited behind another: by plan, for 1");
        journal.close();
        assertThat(pushes.get(0))
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .withMessage("by plan, for 1");
    }

    /** Its looks become rarer; a machine that is slow makes fewer of them. */
    @Test
    void whoWaitsForRoomAsksSeldom() {
        gate.countDown();
        try (Journal journal =
                journal(
                        messages -> {
                            throw new RingFull("by plan", 0, 0);
                        })) {
            assertThat(journal.add(ONE, TimeUnit.MILLISECONDS.toNanos(500)))
                    .failsWithin(Duration.ofSeconds(20));
        }
        assertThat(calls).hasValueLessThan(60);
    }

    @Test
    void whoWaitsForLanesAsksSeldom() {
        gate.countDown();
        try (Journal journal = journal(2, messages -> Set.of(0, 1))) {
            assertThat(journal.add(ONE, TimeUnit.MILLISECONDS.toNanos(500)))
                    .failsWithin(Duration.ofSeconds(20));
        }
        assertThat(calls).hasValueLessThan(120);
    }
}

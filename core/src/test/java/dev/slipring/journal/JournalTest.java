// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.OutcomeUnknown;
import dev.slipring.RingFull;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Slot;
import dev.slipring.engine.Store;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;

/** A journal in front of a store that breaks. */
class JournalTest {

    private static final List<Message> ONE = List.of(Message.of("x"));
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final Executor ON_THREADS = task -> new Thread(task).start();
    private static final BinaryOperator<Void> NONE = (one, other) -> null;

    private static Journal journal(InvocationHandler calls) {
        return journal(calls, Listener.NONE);
    }

    private static Journal journal(InvocationHandler calls, Listener listener) {
        return journal(calls, listener, 1 << 20);
    }

    private static Journal journal(InvocationHandler calls, Listener listener, long maxBytes) {
        Store store =
                (Store)
                        Proxy.newProxyInstance(
                                Store.class.getClassLoader(), new Class<?>[] {Store.class}, calls);
        Watcher watcher = new Watcher("ring", listener);
        return new Journal(store, "ring", 1, maxBytes, new Signal(), watcher);
    }

    /** Its own thread goes on, whatever a push met. */
    @Test
    void anErrorEndsOnePushAndNotThoseBehindIt() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (Journal journal =
                journal(
                        (proxy, method, args) -> {
                            if (calls.incrementAndGet() == 1) {
                                throw new StackOverflowError("by plan");
                            }
                            return Set.of();
                        })) {
            CompletableFuture<Void> first = journal.add(ONE, MINUTE);
            assertThatThrownBy(() -> first.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(OutcomeUnknown.class)
                    .hasRootCauseInstanceOf(StackOverflowError.class)
                    .hasMessageContaining("broke (java.lang.StackOverflowError: by plan)");
            journal.add(ONE, MINUTE).get(20, TimeUnit.SECONDS);
            assertThat(calls).hasValue(2);
        }
    }

    /** Who writes for others when an error comes stays until his own push is over. */
    @Test
    void anErrorLeavesNobodyBehindAsleep() throws Exception {
        Random errors = new Random(1);
        InvocationHandler calls =
                (proxy, method, args) -> {
                    if (errors.nextInt(12) == 0) {
                        throw new StackOverflowError("by plan");
                    }
                    return Set.of();
                };
        // So large that only one of them goes into a transaction.
        List<Message> large = List.of(Message.of(new byte[3 << 20]));
        try (Journal journal = journal(calls, Listener.NONE, 1 << 30)) {
            List<CompletableFuture<Void>> pushers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                pushers.add(
                        CompletableFuture.runAsync(() -> pushOften(journal, large), ON_THREADS));
            }
            for (CompletableFuture<Void> each : pushers) {
                each.get(20, TimeUnit.SECONDS);
            }
        }
    }

    /** Where it breaks before anybody is told, who waits is told when his time is over. */
    @Test
    @Timeout(60)
    void whatAlwaysBreaksKeepsNobodyForEver() {
        InvocationHandler calls =
                (proxy, method, args) -> {
                    if (method.getName().equals("tryPush")) {
                        throw new RingFull("full", 0, 0);
                    }
                    // What would fit is asked for before the refusal.
                    throw new StackOverflowError("by plan");
                };
        try (Journal journal = journal(calls)) {
            assertThatThrownBy(() -> journal.push(ONE, 0))
                    .hasCauseInstanceOf(StoreFailed.class)
                    .hasRootCauseInstanceOf(StackOverflowError.class);
            assertThat(journal.add(ONE, 0))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(StoreFailed.class);
        }
    }

    private static void pushOften(Journal journal, List<Message> messages) {
        for (int i = 0; i < 60; i++) {
            Throwable broken = catchThrowable(() -> journal.push(messages, MINUTE));
            if (broken != null) {
                assertThat(broken).hasCauseInstanceOf(OutcomeUnknown.class);
            }
        }
    }

    /** What finds no place is told so as everything else is. */
    @Test
    void whatIsNotTakenIsRefusedByItsStage() {
        CountDownLatch gate = new CountDownLatch(1);
        Journal journal = journal(noting(new ArrayList<>(), gate));
        List<Message> large = List.of(Message.of(new byte[1 << 20]));
        CompletableFuture<Void> first = journal.add(large, MINUTE);
        assertThat(journal.add(large, 0))
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(RingFull.class);
        gate.countDown();
        journal.close();
        assertThat(first).succeedsWithin(Duration.ofSeconds(20));
    }

    /** With a ring everything is gone that could be asked after. */
    @Test
    void aRingThatIsGoneIsNotAskedForLong() {
        AtomicInteger asked = new AtomicInteger();
        try (Journal journal =
                journal(
                        (proxy, method, args) -> {
                            if (method.getName().equals("tryPush")) {
                                throw new OutcomeUnknown("cut off");
                            }
                            asked.incrementAndGet();
                            throw new NoSuchRing("dropped");
                        })) {
            assertThatThrownBy(() -> journal.push(ONE, MINUTE))
                    .hasCauseInstanceOf(NoSuchRing.class);
            assertThat(asked).hasValue(1);
        }
    }

    /**
     * A thread that is interrupted asks after its push as seldom as another, and who writes with it
     * does not suffer.
     */
    @Test
    void anInterruptIsNoHaste() {
        AtomicInteger asked = new AtomicInteger();
        AtomicBoolean shown = new AtomicBoolean();
        try (Journal journal =
                journal(
                        (proxy, method, args) -> {
                            if (method.getName().equals("tryPush")) {
                                shown.set(Thread.currentThread().isInterrupted());
                                throw new OutcomeUnknown("cut off");
                            }
                            if (asked.incrementAndGet() < 4) {
                                throw new StoreFailed("still gone");
                            }
                            return 1L;
                        })) {
            Thread.currentThread().interrupt();
            long start = System.nanoTime();
            journal.push(ONE, MINUTE);
            assertThat(Thread.interrupted()).isTrue();
            // Pauses of 10, 20 and 40 milliseconds lie between the four questions, where an
            // interrupt that ended them would leave next to none.
            assertThat(System.nanoTime() - start).isGreaterThan(50_000_000);
            assertThat(asked).hasValue(4);
            assertThat(shown).isFalse();
        }
    }

    /** A store that notes what is pushed, and first waits until it is let go. */
    private static InvocationHandler noting(List<Slot> stored, CountDownLatch gate) {
        return (proxy, method, args) -> {
            gate.await(20, TimeUnit.SECONDS);
            ((List<?>) args[1]).forEach(slot -> stored.add((Slot) slot));
            return Set.of();
        };
    }

    /** Those who are told of the same group are told when it is off the journal's hands. */
    @Test
    void whoIsToldMayPushAgain() throws Exception {
        List<Slot> stored = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch gate = new CountDownLatch(1);
        try (Journal journal = journal(noting(stored, gate))) {
            journal.add(ONE, MINUTE);
            List<CompletableFuture<Void>> behind = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                behind.add(journal.add(ONE, MINUTE).thenRun(() -> journal.push(ONE, MINUTE)));
            }
            gate.countDown();
            for (CompletableFuture<Void> each : behind) {
                each.get(20, TimeUnit.SECONDS);
            }
        }
        assertThat(stored.stream().mapToInt(Slot::count).sum()).isEqualTo(1 + 3 + 3);
    }

    /** What a caller does when he is told may take long. */
    @Test
    void whoIsToldKeepsNobodyFromPushing() throws Exception {
        List<Slot> stored = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (Journal journal = journal(noting(stored, gate))) {
            CompletableFuture<Void> slow =
                    journal.add(ONE, MINUTE)
                            .thenRun(
                                    () -> {
                                        telling.countDown();
                                        awaitUnchecked(end);
                                    });
            gate.countDown();
            assertThat(telling.await(20, TimeUnit.SECONDS)).isTrue();
            journal.push(ONE, MINUTE);
            assertThat(slow).isNotDone();
            end.countDown();
            slow.get(20, TimeUnit.SECONDS);
        }
        assertThat(stored).hasSize(2);
    }

    /** More than the journal has places for: it goes on writing while they wait for those. */
    @Test
    void whoIsToldMayPushMoreThanFindsRoom() throws Exception {
        List<Slot> stored = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch gate = new CountDownLatch(1);
        try (Journal journal = journal(noting(stored, gate))) {
            List<CompletableFuture<Void>> behind = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                behind.add(
                        journal.add(ONE, MINUTE)
                                .thenCompose(
                                        told -> {
                                            CompletableFuture<Void> one = journal.add(ONE, MINUTE);
                                            return journal.add(ONE, MINUTE).thenCombine(one, NONE);
                                        }));
            }
            gate.countDown();
            for (CompletableFuture<Void> each : behind) {
                each.get(20, TimeUnit.SECONDS);
            }
        }
        assertThat(stored.stream().mapToInt(Slot::count).sum()).isEqualTo(9_000);
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whoHearsOfAPushMustNotPush() {
        isRefused(journal -> journal.push(ONE, MINUTE));
    }

    /** It could wait for room that is not free before the listener returns. */
    @Test
    void whoHearsOfAPushMustNotPushLater() {
        isRefused(journal -> journal.add(ONE, MINUTE));
    }

    /** Else what it hears of would be written once more. */
    @Test
    void whoHearsOfAPushMustNotClose() {
        isRefused(Journal::close);
    }

    private static void isRefused(Consumer<Journal> whatAListenerDoes) {
        List<Slot> stored = Collections.synchronizedList(new ArrayList<>());
        List<Throwable> refused = new ArrayList<>();
        Journal[] journal = new Journal[1];
        Listener listener =
                new Listener() {
                    @Override
                    public void pushed(String ring, int messages, long bytes, Duration took) {
                        refused.add(catchThrowable(() -> whatAListenerDoes.accept(journal[0])));
                    }
                };
        journal[0] = journal(noting(stored, new CountDownLatch(0)), listener);
        journal[0].push(ONE, MINUTE);
        journal[0].close();
        assertThat(refused)
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("listener");
        assertThat(stored).hasSize(1);
    }

    /** Who is refused is told so, also where the store breaks when it is asked for the reason. */
    @Test
    void aFullRingIsToldWhateverTheReason() {
        try (Journal journal =
                journal(
                        (proxy, method, args) -> {
                            if (method.getName().equals("tryPush")) {
                                throw new RingFull("by plan", 0, 0);
                            }
                            throw new IllegalStateException("by plan too");
                        })) {
            CompletableFuture<Void> refused = journal.add(ONE, 0);
            assertThatThrownBy(() -> refused.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(RingFull.class)
                    .hasMessageContaining("by plan");
        }
    }

    /** A push that is refused as the journal itself has no room is told of as any other. */
    @Test
    void whoFindsNoRoomInMemoryIsToldOf() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        List<Integer> refused = Collections.synchronizedList(new ArrayList<>());
        Listener listener =
                new Listener() {
                    @Override
                    public void full(String ring, int messages) {
                        refused.add(messages);
                    }
                };
        InvocationHandler calls =
                (proxy, method, args) -> {
                    begun.countDown();
                    goesOn.await();
                    return Set.of();
                };
        try (Journal journal = journal(calls, listener, 1)) {
            CompletableFuture<Void> first = journal.add(ONE, MINUTE);
            begun.await();
            List<Message> two = List.of(Message.of("x"), Message.of("y"));
            assertThatThrownBy(() -> journal.push(two, 0)).isInstanceOf(RingFull.class);
            assertThat(journal.add(ONE, 0)).isCompletedExceptionally();
            goesOn.countDown();
            first.get(20, TimeUnit.SECONDS);
        }
        assertThat(refused).containsExactly(2, 1);
    }
}

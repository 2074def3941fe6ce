// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.OutcomeUnknown;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Store;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A journal in front of a store that breaks. */
class JournalTest {

    private static final List<Message> ONE = List.of(Message.of("x"));
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private static Journal journal(InvocationHandler calls) {
        Store store =
                (Store)
                        Proxy.newProxyInstance(
                                Store.class.getClassLoader(), new Class<?>[] {Store.class}, calls);
        Watcher watcher = new Watcher("ring", Listener.NONE);
        return new Journal(store, "ring", 1, 1 << 20, new Signal(), watcher);
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
                    .hasCauseInstanceOf(StoreFailed.class)
                    .hasRootCauseInstanceOf(StackOverflowError.class);
            journal.add(ONE, MINUTE).get(20, TimeUnit.SECONDS);
            assertThat(calls).hasValue(2);
        }
    }

    /** A thread that is interrupted asks after its push as seldom as another. */
    @Test
    void anInterruptIsNoHaste() {
        AtomicInteger asked = new AtomicInteger();
        try (Journal journal =
                journal(
                        (proxy, method, args) -> {
                            if (method.getName().equals("tryPush")) {
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
        }
    }
}

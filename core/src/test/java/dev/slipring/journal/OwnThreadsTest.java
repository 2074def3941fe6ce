// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.engine.Store;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The threads that a journal makes for pushes that nobody waits for. */
@Timeout(60)
class OwnThreadsTest {

    private static Journal journal(String ring, Listener listener) {
        Store store =
                (Store)
                        Proxy.newProxyInstance(
                                Store.class.getClassLoader(),
                                new Class<?>[] {Store.class},
                                (proxy, method, args) -> Set.of());
        return new Journal(store, ring, 1, 1 << 20, new Signal(), new Watcher(ring, listener));
    }

    private static void push(Journal journal) throws Exception {
        journal.add(List.of(Message.of("x")), TimeUnit.MINUTES.toNanos(1))
                .get(20, TimeUnit.SECONDS);
    }

    private static List<Thread> threads(String ring) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith("-" + ring))
                .toList();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    /** It would look for pushes again and again, for ever. */
    @Test
    void anInterruptThatAListenerLeavesKeepsNoneFromSleeping() throws Exception {
        Listener listener =
                new Listener() {
                    @Override
                    public void pushed(String ring, int messages, long bytes, Duration took) {
                        Thread.currentThread().interrupt();
                    }
                };
        try (Journal journal = journal("restless", listener)) {
            push(journal);
            Thread own =
                    threads("restless").stream()
                            .filter(thread -> thread.getName().contains("journal"))
                            .findFirst()
                            .orElseThrow();
            await(() -> own.getState() == Thread.State.WAITING);
            assertThat(own.isInterrupted()).isFalse();
        }
    }

    @Test
    void theyEndWithIt() throws Exception {
        try (Journal journal = journal("ending", Listener.NONE)) {
            push(journal);
            assertThat(threads("ending")).hasSize(2);
        }
        await(() -> threads("ending").isEmpty());
    }
}

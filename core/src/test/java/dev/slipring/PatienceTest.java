// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.slipring.watch.Watcher;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Workers bear with a store that fails, but not once they are to end. */
class PatienceTest {

    /** Ten pauses, each twice as long as the one before, take more than ten seconds. */
    @Test
    @Timeout(10)
    void nobodyWaitsAtTheEnd() {
        List<SlipringException> told = new ArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void storeFailed(String ring, SlipringException error) {
                        told.add(error);
                    }
                };
        Patience patience = new Patience(new Watcher("ring", listener));
        patience.end();
        for (int i = 0; i < 10; i++) {
            patience.bear(new StoreFailed("by plan"));
        }
        assertThat(told).hasSize(10);
    }

    /** Else who tries until it works would ask a store that is down without a pause. */
    @Test
    @Timeout(60)
    void whoIsInterruptedPausesAllTheSame() throws InterruptedException {
        Patience patience = new Patience(new Watcher("ring", Listener.NONE));
        AtomicBoolean kept = new AtomicBoolean(true);
        Thread worker =
                new Thread(
                        () -> {
                            // The last of these pauses may last 1.6 s, and half of that at least.
                            for (int i = 0; i < 6; i++) {
                                Thread.currentThread().interrupt();
                                patience.bear(new StoreFailed("by plan"));
                                kept.compareAndSet(true, Thread.interrupted());
                            }
                        });
        worker.start();
        while (worker.getState() != Thread.State.TIMED_WAITING) {
            assertThat(worker.isAlive()).as("it waits").isTrue();
            Thread.onSpinWait();
        }
        patience.end();
        worker.join();
        assertThat(kept).isTrue();
    }

    /** A failure that cannot even be told. */
    private static StoreFailed untold() {
        OutOfMemoryError why = new OutOfMemoryError("by plan");
        return new StoreFailed("by plan") {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw why;
            }
        };
    }

    /** A worker that ended by it would be missed by nobody. */
    @Test
    void whatCannotBeToldIsBorneToo() {
        Patience patience = new Patience(new Watcher("ring", Listener.NONE));
        patience.end();
        assertThatCode(() -> patience.bear(untold())).doesNotThrowAnyException();
    }

    /** Nor may a worker end as the store works again for another one at that very moment. */
    @Test
    void whatWorksForAnotherIsNoHarm() {
        Patience patience = new Patience(new Watcher("ring", Listener.NONE));
        patience.end();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> other =
                CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; !over.get(); i++) {
                                if (i % 100 == 0) {
                                    patience.works();
                                }
                                Thread.onSpinWait();
                            }
                        });
        try {
            StoreFailed failure = untold();
            for (int i = 0; i < 5_000_000; i++) {
                patience.bear(failure);
            }
        } finally {
            over.set(true);
            other.join();
        }
    }
}

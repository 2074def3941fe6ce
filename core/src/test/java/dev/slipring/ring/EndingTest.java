// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.graph.Graph;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Rings whose handlers end them: by failing, without a verdict, by closing. */
@Timeout(60)
class EndingTest {

    /** What a slot is; nobody looks into it. */
    private static final class Slot {}

    /** As Java teaches, a handler that is interrupted leaves the sign of it. */
    @Test
    void anInterruptThatAHandlerLeavesStopsNothing() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        ThreadRing<Slot> ring =
                ThreadRing.of(Slot::new, 16)
                        .work(
                                "main",
                                slot -> {
                                    handled.incrementAndGet();
                                    Thread.currentThread().interrupt();
                                })
                        .open();
        for (int i = 0; i < 1_000; i++) {
            ring.push(slot -> {});
        }
        ring.close();
        assertThat(handled).hasValue(1_000);
    }

    @Test
    void whoGivesNoVerdictStopsTheRing() throws Exception {
        ThreadRing<Slot> ring =
                ThreadRing.of(Slot::new, 16)
                        .work(
                                "main",
                                1,
                                slot -> {
                                    throw new IOException("disk");
                                },
                                (slot, error, attempt) -> null)
                        .open();
        ring.push(slot -> {});
        assertThatThrownBy(ring::close).hasRootCauseMessage("OnFailure returned no verdict");
    }

    /** Who tries again for ever would be waited for as long. */
    @Test
    void nobodyTriesAgainInARingThatStopped() throws Exception {
        for (boolean batches : new boolean[] {false, true}) {
            CountDownLatch tries = new CountDownLatch(3);
            OnFailure<Slot> again = (slot, error, attempt) -> OnFailure.Verdict.RETRY;
            ThreadRing<Slot> ring =
                    ThreadRing.of(Slot::new, 16)
                            .work(
                                    "main",
                                    slot -> {
                                        tries.await();
                                        throw new IOException("disk");
                                    })
                            .open();
            if (batches) {
                ring.joinBatches("again", null, 1, slots -> failAt(tries), again);
            } else {
                ring.join("again", null, 1, slot -> failAt(tries), again);
            }
            ring.push(slot -> {});
            while (ring.failure() == null) {
                Thread.onSpinWait();
            }
            Thread leaving = new Thread(() -> ring.leave("again"));
            leaving.setDaemon(true);
            leaving.start();
            // Whoever leaves hears no interrupt, so the test's own patience would not end this.
            leaving.join(20_000);
            assertThat(leaving.isAlive()).isFalse();
            assertThatThrownBy(ring::close).hasRootCauseMessage("disk");
        }
    }

    private static void failAt(CountDownLatch tries) {
        tries.countDown();
        throw new IllegalStateException("again");
    }

    /** What the others wait for is what it has in hand. */
    @Test
    void aHandlerClosesItsOwnRing() throws Exception {
        CompletableFuture<ThreadRing<Slot>> opened = new CompletableFuture<>();
        CountDownLatch followed = new CountDownLatch(1);
        ThreadRing<Slot> ring =
                ThreadRing.of(Slot::new, 16)
                        .graph(Graph.of("first").then("second"))
                        .work("first", slot -> opened.get().close())
                        .work("second", slot -> followed.countDown())
                        .open();
        ring.push(slot -> {});
        opened.complete(ring);
        followed.await();
        ring.close();
        assertThat(ring.failure()).isNull();
    }
}

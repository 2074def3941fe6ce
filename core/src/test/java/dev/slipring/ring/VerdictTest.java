// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import dev.slipring.ring.OnFailure.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What becomes of slots that are handled together, where some fail or have nothing in them. */
@Timeout(value = 30, threadMode = SEPARATE_THREAD)
class VerdictTest {

    private static final long BAD = 99;

    private final CountDownLatch go = new CountDownLatch(1);
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** What each call of a handler of batches got. */
    private final List<List<Long>> batches = new CopyOnWriteArrayList<>();

    /** Pushes what comes together, as the handler waits until all of it is there. */
    private void push(ThreadRing<AtomicLong> ring, long... values) throws Exception {
        for (long value : values) {
            if (value == BAD) {
                assertThatThrownBy(() -> ring.push(VerdictTest::fillBadly)).hasMessage("bad");
            } else {
                ring.push(slot -> slot.set(value));
            }
        }
        go.countDown();
        ring.close();
    }

    private static void fillBadly(AtomicLong slot) {
        slot.set(BAD);
        throw new IllegalArgumentException("bad");
    }

    @Test
    void aSlotHasAttemptsOfItsOwn() throws Exception {
        ThreadRing<AtomicLong> ring =
                ThreadRing.of(AtomicLong::new, 64)
                        .work("main", 1, this::handleOne, this::retryOnce)
                        .open();
        ring.push(slot -> slot.set(0));
        awaitFirst();
        push(ring, 1, 2, 3);
        assertThat(asked).containsExactly("1 at 1", "2 at 1", "2 at 2", "3 at 1", "3 at 2");
    }

    private void handleOne(AtomicLong slot) throws Exception {
        batches.add(List.of(slot.get()));
        go.await();
        // 1 fails once only.
        if (slot.get() > 1 || slot.get() == 1 && batches.size() == 2) {
            throw new IllegalStateException("by plan");
        }
    }

    private void ask(AtomicLong slot, Exception error) {
        asked.add(slot + " is skipped");
    }

    private Verdict retryOnce(AtomicLong slot, Exception error, int attempt) {
        asked.add(slot + " at " + attempt);
        return attempt < 2 ? Verdict.RETRY : Verdict.SKIP;
    }

    /** The first batch has one slot, for which it waits; what was pushed meanwhile is the next. */
    private void handle(SlotBatch<AtomicLong> batch) throws Exception {
        List<Long> values = new ArrayList<>();
        batch.forEach(slot -> values.add(slot.get()));
        batches.add(values);
        go.await();
        if (batches.size() == 2) {
            throw new IllegalStateException("by plan");
        }
    }

    private ThreadRing<AtomicLong> ringOfBatches(OnFailure<AtomicLong> onFailure) {
        return ThreadRing.of(AtomicLong::new, 64)
                .workBatches("main", 1, this::handle, onFailure)
                .open();
    }

    private void awaitFirst() {
        while (batches.isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void oneThatIsToBeTriedAgainBringsAllOfItsBatch() throws Exception {
        ThreadRing<AtomicLong> ring =
                ringOfBatches((slot, e, at) -> slot.get() == 1 ? Verdict.RETRY : Verdict.SKIP);
        ring.push(slot -> slot.set(0));
        awaitFirst();
        push(ring, 1, 2, 3);
        assertThat(batches).containsExactly(List.of(0L), List.of(1L, 2L, 3L), List.of(1L, 2L, 3L));
    }

    @Test
    void whatItsProducerDidNotFillIsInNoBatch() throws Exception {
        ThreadRing<AtomicLong> ring = ringOfBatches(OnFailure.skip(this::ask));
        ring.push(slot -> slot.set(0));
        awaitFirst();
        push(ring, 1, BAD, 2);
        assertThat(batches).containsExactly(List.of(0L), List.of(1L, 2L));
        assertThat(asked).containsExactly("1 is skipped", "2 is skipped");
    }

    /** Only who fills a slot must not close; another one may be filling meanwhile. */
    @Test
    void aHandlerClosesWhileASlotIsFilled() throws Exception {
        AtomicReference<ThreadRing<AtomicLong>> own = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        ThreadRing<AtomicLong> ring =
                ThreadRing.of(AtomicLong::new, 64)
                        .oneProducer()
                        .work(
                                "main",
                                slot -> {
                                    go.await();
                                    own.get().close();
                                    closed.countDown();
                                })
                        .open();
        own.set(ring);
        ring.push(slot -> slot.set(1));
        ring.push(
                slot -> {
                    go.countDown();
                    while (closed.getCount() > 0 && ring.failure() == null) {
                        Thread.onSpinWait();
                    }
                });
        ring.close();
        assertThat(closed.getCount()).isZero();
    }
}

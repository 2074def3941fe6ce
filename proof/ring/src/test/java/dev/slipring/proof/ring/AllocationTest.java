// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.slipring.ring.FanOut;
import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.Range;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Sequence;
import dev.slipring.ring.ThreadRing;
import dev.slipring.ring.Waiting;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** How much a message allocates in a ring that exists: nothing, even if threads park. */
@Timeout(120)
class AllocationTest {

    private static final int WARM = 100_000;
    private static final int MESSAGES = 100_000;

    /**
     * Several spans: what Java allocates once, when a path is first taken, is not in all of them.
     */
    private static final int SPANS = 4;

    private static final long ALL = WARM + (long) SPANS * MESSAGES;
    private static final int BATCH = 16;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The kinds of sequences, and how they wait. */
    enum Way {
        SINGLE(new SPSequence(64), Waiting.PARK, 1, new SCSequence()),
        SHARED(new MPSequence(64), Waiting.PARK, 1, new MCSequence(64)),
        SINGLE_PARKING(new SPSequence(64), Waiting.BLOCK, 1, new SCSequence()),
        SHARED_PARKING(new MPSequence(64), Waiting.BLOCK, 1, new MCSequence(64)),
        ONE_TO_THREE(
                new SPSequence(64),
                Waiting.PARK,
                1,
                new SCSequence(),
                new SCSequence(),
                new SCSequence()),
        POOL(new SPSequence(64), Waiting.PARK, 3, new MCSequence(64)),
        BATCHES(new SPSequence(64), Waiting.PARK, 1, new SCSequence()),
        SHARED_BATCHES(new MPSequence(64), Waiting.PARK, 1, new MCSequence(64));

        private final Sequence producer;
        private final List<Sequence> stages;
        private final int threads;

        Way(Sequence producer, Waiting waiting, int threads, Sequence... stages) {
            this.producer = producer;
            this.stages = List.of(stages);
            this.threads = threads;
            producer.waiting(waiting);
            FanOut all = new FanOut();
            for (Sequence stage : stages) {
                stage.waiting(waiting);
                all.and(stage);
            }
            producer.then(all).then(producer);
        }

        private boolean isInBatches() {
            return name().endsWith("BATCHES");
        }

        private boolean usesAvailable() {
            return this == BATCHES;
        }
    }

    /** The least that a thread allocated while the ring went on by a span. */
    private static final class Spans {
        private long next = WARM;
        private long before = -1;
        private long least = Long.MAX_VALUE;

        private void reached(long index) {
            if (index >= next) {
                long now = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
                least = before < 0 ? least : Math.min(least, now - before);
                before = now;
                next += MESSAGES;
            }
        }

        /**
         * The least of all spans; 0 if there are none, as a worker of a pool may have had nothing
         * to do.
         */
        private long least() {
            return least == Long.MAX_VALUE ? 0 : least;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMessageAllocatesNothing(Way way) throws Exception {
        RingQueue<AtomicLong> ring = new RingQueue<>(AtomicLong::new, 64);
        AtomicLong sum = new AtomicLong();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Long>> consumed = new ArrayList<>();
        for (Sequence stage : way.stages) {
            for (int i = 0; i < way.threads; i++) {
                consumed.add(threads.submit(() -> consume(way, stage, ring, sum)));
            }
        }
        long published = threads.submit(() -> publish(way, ring)).get();
        long[] least = new long[consumed.size()];
        for (int i = 0; i < least.length; i++) {
            least[i] = consumed.get(i).get();
        }
        threads.shutdown();
        System.out.printf("%s: %d and %s bytes%n", way, published, Arrays.toString(least));
        assertThat(sum).hasValue(way.stages.size() * (ALL * (ALL - 1) / 2));
        // Less than a byte for every hundred messages: any object for each message, or for some,
        // would be far more.
        assertThat(published).isLessThan(MESSAGES / 100);
        assertThat(Arrays.stream(least).max().orElseThrow()).isLessThan(MESSAGES / 100);
    }

    private static long publish(Way way, RingQueue<AtomicLong> ring) throws InterruptedException {
        Spans spans = new Spans();
        int n = way.isInBatches() ? BATCH : 1;
        for (long value = 0; value < ALL; value += n) {
            long first = n == 1 ? way.producer.waitForNext() : waitForBatch(way.producer);
            for (int i = 0; i < n; i++) {
                ring.get(first + i).setPlain(value + i);
            }
            way.producer.done(first, first + n - 1);
            spans.reached(first + n);
        }
        if (way.producer instanceof SPSequence single) {
            single.close();
        } else {
            ((MPSequence) way.producer).close();
        }
        return spans.least();
    }

    private static long waitForBatch(Sequence producer) throws InterruptedException {
        return producer.waitForNext(BATCH, Long.MAX_VALUE);
    }

    private static long consume(Way way, Sequence stage, RingQueue<AtomicLong> ring, AtomicLong sum)
            throws InterruptedException {
        Spans spans = new Spans();
        Range range = new Range();
        long added = 0;
        while (true) {
            long cursor =
                    way.usesAvailable()
                            ? stage.waitForNext()
                            : stage.waitForNext(range, BATCH, Long.MAX_VALUE);
            if (cursor < 0) {
                sum.addAndGet(added);
                return spans.least();
            }
            long end = way.usesAvailable() ? stage.available() : range.last() + 1;
            for (long at = cursor; at < end; at++) {
                added += ring.get(at).getPlain();
            }
            stage.done(cursor, end - 1);
            spans.reached(end);
        }
    }

    /** Fills slots; one object for all pushes, so that none needs a new one. */
    private static final class Filler implements Consumer<AtomicLong> {
        private long value;

        @Override
        public void accept(AtomicLong slot) {
            slot.setPlain(value++);
        }
    }

    @Test
    void aPushAllocatesNothing() throws Exception {
        Spans pushed = new Spans();
        Spans handled = new Spans();
        AtomicLong sum = new AtomicLong();
        Filler filler = new Filler();
        ThreadRing<AtomicLong> ring =
                ThreadRing.of(AtomicLong::new, 64)
                        .work(
                                "main",
                                slot -> {
                                    sum.setPlain(sum.getPlain() + slot.getPlain());
                                    handled.reached(slot.getPlain() + 1);
                                })
                        .open();
        for (long i = 1; i <= ALL; i++) {
            ring.push(filler);
            pushed.reached(i);
        }
        ring.close();
        System.out.printf("push: %d and %d bytes%n", pushed.least(), handled.least());
        assertThat(sum).hasValue(ALL * (ALL - 1) / 2);
        assertThat(pushed.least()).isLessThan(MESSAGES / 100);
        assertThat(handled.least()).isLessThan(MESSAGES / 100);
    }
}
